/** The wire format, with a push service that verifies and decrypts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PushService, startPushService } from "../../../tests/setup/push-service.ts";
import { newVapidPair } from "../../lib/vapid.server.ts";
import { publicPoster } from "../public-http/post-public.server.ts";
import { webPush } from "./web-push.server.ts";

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.delivered.length = service.calls.length = service.faults.length = 0;
  service.replies.clear();
});

const keys = { ...newVapidPair(), subject: "mailto:ops@nadi.example" };
const send = (to: { endpoint: string; p256dh: string; auth: string }, limit?: number) =>
  webPush(keys, publicPoster({ testOrigin: service.origin, ...(limit && { limit }) })).send({
    to,
    content: '{"title":"నాడి"}',
    ttl: 3600,
    urgency: "high",
    topic: "a-topic",
  });

describe("webPush", () => {
  it("signs for the service, and encrypts for the browser", async () => {
    const browser = service.subscribe();
    expect(await send(browser)).toEqual({ state: "sent" });
    expect(service.faults).toEqual([]);
    expect(service.delivered).toMatchObject([
      { path: browser.path, text: '{"title":"నాడి"}', headers: { ttl: "3600", urgency: "high", topic: "a-topic" } },
    ]);
  });

  it.each([
    [200, { state: "sent" }],
    [404, { state: "gone" }],
    [410, { state: "gone" }],
    [413, { state: "refused", why: "413" }],
    [403, { state: "refused", why: "403" }],
    [307, { state: "refused", why: "307" }],
    [429, { state: "later", why: "429" }],
    [500, { state: "later", why: "500" }],
    [
      { status: 429, retryAfter: "120" },
      { state: "later", why: "429", seconds: 120 },
    ],
    [
      { status: 503, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" },
      { state: "later", why: "503" },
    ],
  ])("reads the response %j", async (reply, outcome) => {
    const browser = service.subscribe();
    service.replies.set(browser.path, reply);
    expect(await send(browser)).toEqual(outcome);
    expect(service.calls).toEqual([browser.path]);
  });

  it("tries again later when the service does not respond", async () => {
    const browser = service.subscribe();
    service.replies.set(browser.path, () => {});
    expect(await send(browser, 100)).toEqual({ state: "later", why: "timeout" });
  });

  it.each(["http://push.example/x", "https://10.0.0.1/x", "https://localhost/x"])("does not call %s", async (endpoint) => {
    expect(await send({ ...service.subscribe(), endpoint })).toEqual({ state: "refused", why: "address" });
  });
});
