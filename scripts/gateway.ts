/**
 * `npm run gateway`: the test gateway for `PAYMENT_PROVIDER=local npm start`, with the same variables as the server. What a slow bank has not done is
 * done after 20 s.
 */
import { env } from "#app/runtime/env.server.ts";
import { startGateway } from "./gateway/gateway.ts";

const { gateway: settings, appUrl } = env();
if (settings?.provider !== "local") throw new Error("Set PAYMENT_PROVIDER=local, for the server too.");
const gateway = await startGateway({
  keyId: settings.keyId,
  keySecret: settings.keySecret,
  webhookSecret: settings.webhookSecrets[0]!,
  webhookUrl: new URL("/webhooks/local", appUrl).href,
  port: Number(new URL(settings.baseUrl).port),
});
setInterval(() => {
  for (const payment of gateway.payments.values())
    if (payment.status === "authorized" && Date.now() - payment.at > 20_000) gateway.capture(payment.id);
}, 1000);
process.stdout.write(`test gateway at ${gateway.url}, messages to ${appUrl.origin}\n`);
