import { describe, expect, it } from "vitest";
import { newSecret, signedHeaders } from "#app/domains/places/webhooks/signature.server.ts";
import { WEBHOOK_CHECK, WEBHOOK_EXAMPLE } from "./addresses.ts";

type Check = { readWebhook(secret: string, headers: Record<string, string>, body: string, now?: number): unknown };

describe("the example that checks a webhook", () => {
  const at = new Date();
  const message = { id: "6f0c1f0e-2a44-4c50-9c1b-1d7a3c0f9b52", at, body: '{"type":"webhook.test"}' };
  const [secret, former] = [newSecret(), newSecret()];
  const example = () => import(`data:text/javascript,${encodeURIComponent(WEBHOOK_CHECK)}`) as Promise<Check>;

  it("accepts what Nadi signs, with either secret while both are valid", async () => {
    const { readWebhook } = await example();
    const headers = signedHeaders(message, [secret, former]);
    for (const key of [secret, former]) expect(readWebhook(key, headers, message.body)).toEqual({ type: "webhook.test" });
  });
  it("refuses another secret, a changed body or id, and an old message", async () => {
    const { readWebhook } = await example();
    const headers = signedHeaders(message, [secret]);
    expect(readWebhook(newSecret(), headers, message.body)).toBeNull();
    expect(readWebhook(secret, headers, `${message.body} `)).toBeNull();
    expect(readWebhook(secret, { ...headers, "webhook-id": "x" }, message.body)).toBeNull();
    expect(readWebhook(secret, headers, message.body, at.getTime() + 301_000)).toBeNull();
  });
  it("accepts the signed test event of the page, and not a changed one", async () => {
    const run = async (call: string) =>
      ((await import(`data:text/javascript,${encodeURIComponent(`${WEBHOOK_CHECK}\n${call}\nexport { event };`)}`)) as { event: unknown })
        .event;
    expect(await run(WEBHOOK_EXAMPLE)).toMatchObject({ type: "webhook.test", data: { place: expect.any(String) } });
    expect(await run(WEBHOOK_EXAMPLE.replace('"type"', '"typo"'))).toBeNull();
    expect(await run(WEBHOOK_EXAMPLE.replace("  1795459200000,\n", ""))).toBeNull();
  });
  it("signs as the example of Standard Webhooks", () => {
    const known = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: new Date(1_614_265_330_000), body: '{"test": 2432232314}' };
    expect(signedHeaders(known, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])["webhook-signature"]).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });
});
