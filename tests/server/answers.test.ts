/** Every request is answered: posts of other origins, many at once on one connection and from one address. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway } from "../../scripts/gateway/gateway.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { raw } from "../setup/http.ts";
import { APP, signed, text, wrote } from "../setup/meta.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({
    env: {
      ...gatewayEnv(gateway),
      ...{ WHATSAPP_TOKEN: "token-of-the-test", WHATSAPP_BASE_URL: "http://127.0.0.1:1", WHATSAPP_PHONE_ID: APP.phoneId },
      ...{ WHATSAPP_APP_SECRET: APP.appSecret, WHATSAPP_VERIFY_TOKEN: APP.verifyToken },
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const post = (path: string, origin: string, body = "a=1") =>
  raw(server.url, { method: "POST", path, headers: { ...FORM, origin, "sec-fetch-site": "cross-site" }, body });

describe("a post with a signature", () => {
  const ORDER = "/payments/return/00000000-0000-4000-8000-000000000000";
  // Browsers send "null" from a page whose Referrer-Policy is no-referrer.
  it.each([
    ["/payments/return/x", "null", 404],
    [ORDER, "null", 404],
    [ORDER, "https://api.razorpay.com", 404],
    ["/webhooks/local", "null", 401],
    ["/webhooks/local", "https://api.razorpay.com", 401],
    ["/webhooks/local", "x", 400],
    ["/webhooks/local", "", 400],
    [ORDER, "x", 400],
    ["/webhooks/local", "https://evil.example/dual-patient?", 400],
    ["/payments/return/x", "https://evil.example/dual-patient?", 400],
    ["/webhooks/local", "https://evil.example@localhost", 400],
  ])("at %s from the origin %j is answered with %i", async (path, origin, status) => {
    expect((await post(path, origin)).status).toBe(status);
  });

  it("never posts the form of another page", async () => {
    const phone = "9811277001";
    await post("/webhooks/local", "https://evil.example/dual-patient?", `intent=send&phoneNumber=${phone}`);
    await post("//webhooks/local/../../dual-patient", "https://evil.example", `intent=send&phoneNumber=${phone}`);
    expect(await server.outbox(`+91${phone}`)).toEqual([]);
  });
});

describe("the webhook of WhatsApp", () => {
  const PATH = "/webhooks/message/whatsapp";
  const send = (body: Uint8Array | string, signature: string | null, path = PATH) =>
    raw(server.url, {
      ...{ method: "POST", path, body: Buffer.from(body) },
      headers: { "content-type": "application/json", ...(signature && { "x-hub-signature-256": signature }) },
    });
  const stored = async () => (await server.sql`select provider_id from inbound_messages where provider = 'whatsapp'`).length;

  it("stores a signed message once, and answers 200 each time", async () => {
    const { raw: body, headers } = signed({ messages: [wrote("+919811277002", new Date(), text("HI"))] });
    const signature = headers.get("x-hub-signature-256");
    const answers = await Promise.all([send(body, signature), send(body, signature), send(body, signature)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored()).toBe(1);
  });
  it("refuses what is forged, changed or too large, and stores nothing", async () => {
    const before = await stored();
    const { raw: body, headers } = signed({ messages: [wrote("+919811277002", new Date(), text("STOP"))] });
    const signature = headers.get("x-hub-signature-256");
    const forged = signed({ messages: [wrote("+919811277002", new Date(), text("STOP"))] }, { secret: "another" });
    const large = signed({ messages: [wrote("+919811277002", new Date(), text("a".repeat(3 * 1024 * 1024)))] });
    expect((await send(body, null)).status).toBe(401);
    expect((await send(forged.raw, forged.headers.get("x-hub-signature-256"))).status).toBe(401);
    expect((await send(`${Buffer.from(body)} `, signature)).status).toBe(401);
    expect((await send(large.raw, large.headers.get("x-hub-signature-256"))).status).toBe(413);
    expect(await stored()).toBe(before);
  });
  it("confirms its address to Meta only", async () => {
    const query = (token: string) => `?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`;
    const asked = (token: string) => raw(server.url, { path: PATH + query(token) });
    expect(await asked(APP.verifyToken)).toMatchObject({ status: 200, text: "1158201444" });
    expect(await asked("guess")).toMatchObject({ status: 401, text: "" });
  });
  it("is not found for a provider that is not configured", async () => {
    expect((await raw(server.url, { path: "/webhooks/message/twilio" })).status).toBe(404);
    expect((await send("{}", null, "/webhooks/message/twilio")).status).toBe(404);
  });
});

it("refuses a request with two hosts", async () => {
  const socket = connect(server.port, "127.0.0.1");
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.write(`GET /choose-role HTTP/1.1\r\nHost: localhost:${server.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
  await new Promise((ok) => socket.on("close", ok));
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
});

/** Sends requests at once on one connection and returns the statuses of the responses. */
async function pipelined(lines: readonly string[]): Promise<number[]> {
  const socket = connect(server.port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  const closed = new Promise((ok) => socket.on("close", ok));
  const last = lines.length - 1;
  socket.write(
    lines
      .map((line, i) => `${line} HTTP/1.1\r\nHost: localhost:${server.port}\r\n${i === last ? "Connection: close\r\n" : ""}\r\n`)
      .join(""),
  );
  await closed;
  return [
    ...Buffer.concat(parts)
      .toString("latin1")
      .matchAll(/HTTP\/1\.1 (\d{3}) /g),
  ].map(([, status]) => Number(status));
}

it("answers every request of a connection that sends hundreds at once", async () => {
  const statuses = await pipelined(Array.from({ length: 300 }, (_, i) => `GET /hospitalpages/Cards-data?q=${i}`));
  expect(statuses).toEqual(Array.from({ length: 300 }, () => 200));
});

it("answers SOS while other requests of the address wait", async () => {
  const flood = await server.sql.begin(async (tx) => {
    // Each list waits for the table, and the next lists for these.
    await tx`lock table hospitals in access exclusive mode`;
    const lists = Array.from({ length: 40 }, (_, n) =>
      pipelined(Array.from({ length: 8 }, (_, i) => `GET /hospitalpages/Cards-data?q=${n}.${i}`)),
    );
    expect((await raw(server.url, { path: "/patient/emergency-contact" })).status).toBe(200);
    expect((await raw(server.url, { path: "/healthz" })).status).toBe(200);
    return { lists };
  });
  const statuses = (await Promise.all(flood.lists)).flat();
  expect(statuses.length).toBe(320);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
});
