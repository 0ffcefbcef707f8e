/**
 * The test gateway of `PAYMENT_PROVIDER=local`, with the same variables as the server. `npm start` runs it beside the server, `npm run gateway` beside
 * `npm run dev`. What a slow bank has not done is done after 20 s.
 */
import { EnvironmentError, env } from "#app/runtime/env.server.ts";
import { startGateway } from "./gateway/gateway.ts";

function end(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
function settingsOrEnd() {
  try {
    return env();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return end(error.message);
  }
}

const { gateway: settings, appUrl } = settingsOrEnd();
if (settings?.provider !== "local")
  end(
    `The test gateway is for a server that pays with it: "npm run start:payments" starts both. Beside "npm run dev", give both commands the variable: PAYMENT_PROVIDER=local npm run dev, and PAYMENT_PROVIDER=local npm run gateway.`,
  );
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
