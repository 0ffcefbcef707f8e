/** Webhooks of SMS providers and of missed calls: what is stored, and what is refused. */
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { inboundMessages, messageThreads } from "#app/db/schema/index.ts";
import { missedCalls, msg91Inbound, twilioInbound } from "#app/integrations/inbound/inbound.server.ts";
import { kannelInbound } from "#app/integrations/inbound/kannel.server.ts";
import { newPhone } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { receiveProviderMessages } from "./receive-webhook.server.ts";

const { db, ctx } = testDb();
const TOKEN = "token-of-twilio-for-this-test-only";
const SECRET = "secret-of-msg91-for-this-test-only";
const KANNEL = "secret-of-kannel-for-this-test-only";
const CALLS = "secret-of-calls-for-this-test-only-";
const inbound = { twilio: twilioInbound(TOKEN), msg91: msg91Inbound(SECRET), call: missedCalls(CALLS), kannel: kannelInbound(KANNEL) };
const NOW = new Date("2026-11-26T03:42:00Z");
const asked = (now = NOW) => {
  const base = ctx(null, now);
  return { ...base, integrations: { ...base.integrations, inbound } };
};
type Sent = { raw: Uint8Array; headers: Headers; query?: URLSearchParams };
const post = (provider: string, { raw, headers, query = new URLSearchParams() }: Sent, now = NOW) =>
  receiveProviderMessages(asked(now), provider, { raw, headers, query, url: `https://nadi.example/webhooks/message/${provider}` });
const bytes = (text: string) => new TextEncoder().encode(text);

const SID = (n: number) => `SM${String(n).padStart(32, "0")}`;
function twilio(fields: Record<string, string>, token = TOKEN): Sent {
  const signed = `https://nadi.example/webhooks/message/twilio${Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => name + value)
    .join("")}`;
  const signature = createHmac("sha1", token).update(signed).digest("base64");
  return { raw: bytes(new URLSearchParams(fields).toString()), headers: new Headers({ "x-twilio-signature": signature }) };
}
const msg91 = (body: object, secret = SECRET): Sent => ({
  raw: bytes(JSON.stringify(body)),
  headers: new Headers({ "x-nadi-secret": secret }),
});
function call(body: object, { at = NOW, secret = CALLS } = {}): Sent {
  const text = JSON.stringify(body);
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = createHmac("sha256", secret).update(`${seconds}.${text}`).digest("hex");
  return { raw: bytes(text), headers: new Headers({ "x-nadi-signature": `t=${seconds},v1=${hex}` }) };
}

const ID = "1df21f6b-5a7e-410f-af82-f031740ef350";
/** As Kannel 1.4.5 posts it. */
const kannel = (from: string, { secret = KANNEL, raw = bytes("Hi there"), type = 'text/plain; charset="UTF-8"', id = ID } = {}): Sent => ({
  raw,
  query: new URLSearchParams({ id }),
  headers: new Headers({
    "content-type": type,
    "x-kannel-from": from,
    "x-kannel-to": "56161",
    "x-kannel-time": "2026-11-26 03:40:33",
    authorization: `Basic ${Buffer.from(`nadi:${secret}`).toString("base64")}`,
  }),
});

const stored = () => db.select().from(inboundMessages);
beforeEach(() => db.delete(messageThreads));

describe("stores", () => {
  it("an SMS of Twilio once, however often it is reported", async () => {
    const sms = twilio({ MessageSid: SID(1), From: newPhone(), Body: "RAO", To: "+15005550006" });
    for (let i = 0; i < 10; i++) await post("twilio", sms);
    await Promise.all(Array.from({ length: 5 }, () => post("twilio", sms)));
    expect(await stored()).toMatchObject([{ provider: "twilio", providerId: SID(1), kind: "text" }]);
  });
  it("an SMS of MSG91 with its time", async () => {
    await post("msg91", msg91({ id: "id-91-1", mobile: newPhone().slice(1), message: "నమస్తే", time: "1795664400" }));
    expect(await stored()).toMatchObject([{ provider: "msg91", sentAt: new Date(1_795_664_400_000) }]);
  });
  it("an SMS of Kannel once, with its time, in either character set", async () => {
    const phone = newPhone();
    for (let i = 0; i < 3; i++) await post("kannel", kannel(phone));
    const raw = Buffer.from("నమస్తే", "utf16le").swap16();
    await post("kannel", kannel(phone, { raw, type: 'text/plain; charset="UTF-16BE"', id: ID.replace("1", "2") }));
    expect(await stored()).toMatchObject([
      { provider: "kannel", providerId: ID, sentAt: new Date("2026-11-26T03:40:33Z") },
      { provider: "kannel" },
    ]);
  });
  it("a missed call, and a key", async () => {
    await post("call", call({ id: "call-1", caller: newPhone(), time: 1_795_664_400 }));
    await post("call", call({ id: "call-2", caller: newPhone(), key: "1" }));
    expect((await stored()).map(({ kind, pressed }) => ({ kind, pressed })).toSorted((a) => (a.pressed ? 1 : -1))).toEqual([
      { kind: "call", pressed: null },
      { kind: "call", pressed: "1" },
    ]);
  });
  it("nothing of a sender without a number in India", async () => {
    await post("twilio", twilio({ MessageSid: SID(2), From: "AD-BANKIN", Body: "offer" }));
    await post("twilio", twilio({ MessageSid: SID(3), From: "+14155550100", Body: "RAO" }));
    expect(await stored()).toEqual([]);
  });
});

describe("refuses, and stores nothing", () => {
  const phone = "+918000000001";
  const sms = { MessageSid: SID(9), From: phone, Body: "RAO" };
  const changed = (sent: Sent, text: string): Sent => ({ ...sent, raw: bytes(text) });
  it.each<[string, string, () => Sent, string]>([
    ["a provider that is not configured", "other", () => twilio(sms), "not-found"],
    ["the name of an object's own method", "constructor", () => twilio(sms), "not-found"],
    ["another key of Twilio", "twilio", () => twilio(sms, "another-token"), "forbidden"],
    ["no signature", "twilio", () => ({ ...twilio(sms), headers: new Headers() }), "forbidden"],
    ["a changed text", "twilio", () => changed(twilio(sms), new URLSearchParams({ ...sms, Body: "STOP" }).toString()), "forbidden"],
    ["another secret of MSG91", "msg91", () => msg91({ id: "id-1", mobile: phone, message: "RAO" }, "wrong"), "forbidden"],
    ["a body that is no JSON", "msg91", () => changed(msg91({}), "{"), "invalid"],
    ["bytes that are no text", "msg91", () => ({ ...msg91({}), raw: new Uint8Array([0xff, 0xfe]) }), "invalid"],
    ["a body without its fields", "msg91", () => msg91({ id: "id-1" }), "invalid"],
    ["another secret of Kannel", "kannel", () => kannel(phone, { secret: "wrong" }), "forbidden"],
    ["an SMS of Kannel without its id", "kannel", () => kannel(phone, { id: "" }), "invalid"],
    ["an SMS of Kannel that is no text", "kannel", () => kannel(phone, { raw: Buffer.from([0xff, 0xfe]) }), "invalid"],
    ["another secret of calls", "call", () => call({ id: "call-1", caller: phone }, { secret: "wrong" }), "forbidden"],
    [
      "a changed caller",
      "call",
      () => changed(call({ id: "call-1", caller: phone }), `{"id":"call-1","caller":"+918000000002"}`),
      "forbidden",
    ],
    [
      "a call that is played back",
      "call",
      () => call({ id: "call-1", caller: phone }, { at: new Date(NOW.getTime() - 301_000) }),
      "forbidden",
    ],
  ])("%s", async (_, provider, sent, code) => {
    await expect(post(provider, sent())).rejects.toMatchObject({ code });
    expect(await stored()).toEqual([]);
  });
});
