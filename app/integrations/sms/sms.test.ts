import { describe, expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { msg91 } from "./msg91.server.ts";
import type { SmsSender } from "./sms.server.ts";
import { codeMessage, fillTemplate, SMS_TEMPLATES } from "./templates.ts";
import { twilio } from "./twilio.server.ts";

const message = codeMessage({ to: "+914000000301", code: "482916", minutes: 2, host: "nadi.example" });
const AUTH = "auth-key-of-the-test";
const TOKEN = "token-of-the-test";
const LIMIT = 250;

const providers = {
  msg91: {
    make: (baseUrl: string) => msg91({ authKey: AUTH, baseUrl }, LIMIT),
    good: { body: '{"message":"3763646c3058373530393938","type":"success"}' },
  },
  twilio: {
    make: (baseUrl: string) => twilio({ accountSid: "ACdemo", authToken: TOKEN, from: "+15005550006", baseUrl }, LIMIT),
    good: { status: 201, body: '{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued","error_code":null}' },
  },
} satisfies Record<string, { make: (url: string) => SmsSender; good: Reply }>;

/** The refusal, after making sure that nothing secret or personal is in it. */
async function refusal(sending: Promise<void>): Promise<string> {
  const error = await sending.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  const told = JSON.stringify([String(error), (error as DomainError).cause, String((error as DomainError).cause), (error as Error).stack]);
  for (const secret of [AUTH, TOKEN, "482916", "4000000301", Buffer.from(`ACdemo:${TOKEN}`).toString("base64")])
    expect(told).not.toContain(secret);
  expect((error as DomainError).code).toBe("unavailable");
  return String((error as DomainError).cause);
}

describe("wire formats", () => {
  test("MSG91: flow v5 with the template's id, the number without +, the variables", async () => {
    await using stub = await httpStub(() => providers.msg91.good);
    await providers.msg91.make(stub.url).send(message);
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/api/v5/flow" });
    expect(call?.headers).toMatchObject({ authkey: AUTH, "content-type": "application/json" });
    expect(JSON.parse(String(call?.body))).toEqual({
      template_id: SMS_TEMPLATES.code.msg91TemplateId,
      short_url: "0",
      recipients: [{ mobiles: "914000000301", code: "482916", minutes: "2", host: "nadi.example" }],
    });
  });
  test("Twilio: a form to Messages.json with basic authentication", async () => {
    await using stub = await httpStub(() => providers.twilio.good);
    await providers.twilio.make(stub.url).send(message);
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/2010-04-01/Accounts/ACdemo/Messages.json" });
    expect(call?.headers.authorization).toBe(`Basic ${Buffer.from(`ACdemo:${TOKEN}`).toString("base64")}`);
    expect(call?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(String(call?.body)))).toEqual({
      To: "+914000000301",
      From: "+15005550006",
      Body: message.body,
    });
  });
  test("Twilio: the id of a messaging service is named as such", async () => {
    await using stub = await httpStub(() => providers.twilio.good);
    await twilio({ accountSid: "ACdemo", authToken: TOKEN, from: "MG123", baseUrl: stub.url }).send(message);
    expect(Object.fromEntries(new URLSearchParams(String(stub.seen[0]?.body)))).toMatchObject({ MessagingServiceSid: "MG123" });
  });
});

describe.each(Object.entries(providers))("%s fails well", (_name, { make }) => {
  const bad: [string, Reply][] = [
    ["a wrong key", { status: 401, body: '{"type":"error","message":"Authentication failure 482916"}' }],
    ["a refused number", { status: 400, body: '{"code":21211,"message":"The \'To\' number +914000000301 is not valid"}' }],
    ["a broken provider", { status: 500, body: "<html>482916</html>" }],
    ["garbage with status 200", { body: "<html>welcome, +914000000301</html>" }],
    ["an empty answer", { body: "" }],
    ["JSON of another kind", { body: "[1,2]" }],
    ["an endless answer", { body: Buffer.alloc(300_000, 97) }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }],
    ["a closed line", "drop"],
  ];
  test.each(bad)("%s", async (_what, reply) => {
    await using stub = await httpStub(() => reply);
    await refusal(make(stub.url).send(message));
    expect(stub.seen).toHaveLength(1);
  });
  test("a provider that never answers is given up in time", async () => {
    await using stub = await httpStub(() => "hang");
    const started = performance.now();
    expect(await refusal(make(stub.url).send(message))).toContain("no answer in time");
    expect(performance.now() - started).toBeLessThan(LIMIT + 1500);
  });
  test("nobody there", async () => {
    expect(await refusal(make("http://127.0.0.1:1").send(message))).toMatch(/ECONNREFUSED|TypeError/);
  });
});

test("MSG91 says error with status 200", async () => {
  await using stub = await httpStub(() => ({ body: '{"message":"template id missing for 914000000301","type":"error"}' }));
  expect(await refusal(providers.msg91.make(stub.url).send(message))).toContain("refused the message");
});
test("Twilio's own code is told to the log", async () => {
  await using stub = await httpStub(() => ({ status: 400, body: '{"code":21211,"message":"x","status":400}' }));
  expect(await refusal(providers.twilio.make(stub.url).send(message))).toContain("status 400, code 21211");
});

describe("templates", () => {
  test("the last line of a code lets the phone fill it in", () => {
    expect(message.body.split("\n").at(-1)).toBe("@nadi.example #482916");
    expect(message.body).toContain("482916 is your Nadi code");
  });
  test("every template is registered in full", () => {
    for (const { dltId, header, text, limits } of Object.values(SMS_TEMPLATES)) {
      expect(dltId).toMatch(/^\d{19}$/);
      expect(header).toMatch(/^[A-Z]{6}$/);
      const named = [...text.matchAll(/\{#(\w+)#\}/g)].map(([, name]) => name);
      expect(new Set(named)).toEqual(new Set(Object.keys(limits)));
      for (const [name, limit] of Object.entries(limits)) if (name !== "host") expect(limit).toBeLessThanOrEqual(30);
    }
  });
  test("a value longer than registered, a missing one and an unknown one are refused", () => {
    expect(() => fillTemplate("+914000000301", "code", { code: "4829161", minutes: "2", host: "a" })).toThrow(/code/);
    expect(() => fillTemplate("+914000000301", "code", { code: "482916", minutes: "2" })).toThrow(/host/);
    expect(() => fillTemplate("+914000000301", "code", { code: "482916", minutes: "2", host: "a", other: "x" })).toThrow(/other/);
  });
  test("a $ in a value stays a $", () => {
    expect(fillTemplate("+914000000301", "code", { code: "$&$1$$", minutes: "2", host: "a" }).body).toContain("$&$1$$ is your Nadi code");
  });
});
