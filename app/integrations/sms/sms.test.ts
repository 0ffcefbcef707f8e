import { describe, expect, test } from "vitest";
import { smsOf } from "#app/domains/platform/delivery/deliver.server.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook } from "#app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { CANCEL_REASONS, cancelReasonSms, VISIT_REASONS } from "#app/domains/visit-reasons.ts";
import { smsSize } from "#app/integrations/sms/segments.ts";
import { addDays, clockTime, formatDate } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { kannel } from "./kannel.server.ts";
import { msg91 } from "./msg91.server.ts";
import type { SmsSender } from "./sms.server.ts";
import {
  bookedMessage,
  cancelledMessage,
  changedMessage,
  closedMessage,
  codeMessage,
  decisionMessage,
  fillTemplate,
  offerMessage,
  reminderMessage,
  SMS_TEMPLATES,
  type TemplateName,
} from "./templates.ts";
import { twilio } from "./twilio.server.ts";

const message = codeMessage({ to: "+914000000301", code: "482916", minutes: 2, host: "nadi.example" });
const AUTH = "auth-key-of-the-test";
const TOKEN = "token-of-the-test";
/** A stub that answers has time on a busy machine; one that hangs is waited for briefly. */
const [PATIENT, LIMIT] = [10_000, 250];

const providers = {
  msg91: {
    make: (baseUrl: string, limit = PATIENT) => msg91({ authKey: AUTH, baseUrl, templateIds: { "reminder.te": "flow-7" } }, limit),
    good: { body: '{"message":"3763646c3058373530393938","type":"success"}' },
  },
  twilio: {
    make: (baseUrl: string, limit = PATIENT) => twilio({ accountSid: "ACdemo", authToken: TOKEN, from: "+15005550006", baseUrl }, limit),
    good: { status: 201, body: '{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued","error_code":null}' },
  },
  kannel: {
    make: (url: string, limit = PATIENT) =>
      kannel({ url, username: "nadi", password: AUTH, from: "56161", dlt: { entity: "1101", templateIds: { code: "1707" } } }, limit),
    good: { status: 202, body: "0: Accepted for delivery" },
  },
} satisfies Record<string, { make: (url: string, limit?: number) => SmsSender; good: Reply }>;

/** Returns the error after checking that it contains no secret or personal data. */
async function refusal(sending: Promise<void>): Promise<string> {
  const error = await sending.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  const shown = JSON.stringify([String(error), (error as DomainError).cause, String((error as DomainError).cause), (error as Error).stack]);
  for (const secret of [AUTH, TOKEN, "482916", "4000000301", Buffer.from(`ACdemo:${TOKEN}`).toString("base64")])
    expect(shown).not.toContain(secret);
  expect((error as DomainError).code).toBe("unavailable");
  return String((error as DomainError).cause);
}

describe("wire formats", () => {
  test("sends MSG91 the template's id, the number without + and the variables", async () => {
    await using stub = await httpStub(() => providers.msg91.good);
    await providers.msg91.make(stub.url).send(message);
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/api/v5/flow" });
    expect(call?.headers).toMatchObject({ authkey: AUTH, "content-type": "application/json" });
    expect(JSON.parse(String(call?.body))).toEqual({
      template_id: "nadi-code",
      short_url: "0",
      recipients: [{ mobiles: "914000000301", code: "482916", minutes: "2", host: "nadi.example" }],
    });
  });
  test("posts a form with basic authentication to Twilio's Messages.json", async () => {
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
  test("posts the text to Kannel, and what the operator wants to know as headers", async () => {
    await using stub = await httpStub(() => providers.kannel.good);
    const gateway = providers.kannel.make(stub.url);
    await gateway.send(message);
    await gateway.send({ ...message, template: "code.te", body: "మీ కోడ్" });
    const [english, telugu] = stub.seen;
    expect(english).toMatchObject({ method: "POST", path: "/cgi-bin/sendsms", body: Buffer.from(message.body) });
    expect(english?.headers).toMatchObject({
      "x-kannel-username": "nadi",
      "x-kannel-password": AUTH,
      "x-kannel-from": "56161",
      "x-kannel-to": "+914000000301",
      "x-kannel-coding": "0",
      "x-kannel-meta-data": "?smpp?PE_ID=1101&TEMPLATE_ID=1707",
    });
    expect(telugu).toMatchObject({ body: Buffer.from("మీ కోడ్") });
    expect(telugu?.headers).toMatchObject({ "x-kannel-coding": "2", "x-kannel-meta-data": "?smpp?PE_ID=1101" });
  });
  test("sends Twilio the id of a messaging service as MessagingServiceSid", async () => {
    await using stub = await httpStub(() => providers.twilio.good);
    await twilio({ accountSid: "ACdemo", authToken: TOKEN, from: "MG123", baseUrl: stub.url }).send(message);
    expect(Object.fromEntries(new URLSearchParams(String(stub.seen[0]?.body)))).toMatchObject({ MessagingServiceSid: "MG123" });
  });
});

describe.each(Object.entries(providers))("failures of %s", (_name, { make }) => {
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
  test("ends at the deadline when the provider does not respond", async () => {
    await using stub = await httpStub(() => "hang");
    const started = performance.now();
    expect(await refusal(make(stub.url, LIMIT).send(message))).toContain("no answer in time");
    expect(performance.now() - started).toBeLessThan(LIMIT + 1500);
  });
  test("reports a refused connection as unavailable", async () => {
    expect(await refusal(make("http://127.0.0.1:1").send(message))).toMatch(/ECONNREFUSED|TypeError/);
  });
});

test("treats an error of MSG91 with status 200 as a failure", async () => {
  await using stub = await httpStub(() => ({ body: '{"message":"template id missing for 914000000301","type":"error"}' }));
  expect(await refusal(providers.msg91.make(stub.url).send(message))).toContain("refused the message");
});
test("logs the error code of Twilio", async () => {
  await using stub = await httpStub(() => ({ status: 400, body: '{"code":21211,"message":"x","status":400}' }));
  expect(await refusal(providers.twilio.make(stub.url).send(message))).toContain("status 400, code 21211");
});

describe("SMS length", () => {
  test.each([
    ["a".repeat(160), "GSM-7", 160, 1],
    ["a".repeat(161), "GSM-7", 161, 2],
    ["a".repeat(307), "GSM-7", 307, 3],
    [`${"a".repeat(159)}€`, "GSM-7", 161, 2],
    ["అ".repeat(70), "UCS-2", 70, 1],
    ["అ".repeat(71), "UCS-2", 71, 2],
    ["अ".repeat(135), "UCS-2", 135, 3],
    [`${"a".repeat(70)}—`, "UCS-2", 71, 2],
    ["🙂", "UCS-2", 2, 1],
  ])("%s", (text, encoding, length, segments) => expect(smsSize(text)).toEqual({ encoding, length, segments }));
});

describe("templates", () => {
  test("ends a code with the line for autofill (WebOTP)", () => {
    expect(message.body.split("\n").at(-1)).toBe("@nadi.example #482916");
    expect(message.body).toContain("482916 is your Nadi code");
  });
  const ALL = Object.entries(SMS_TEMPLATES).flatMap(([name, all]) =>
    Object.entries(all).map(([language, template]) => [name as TemplateName, language as Language, template] as const),
  );
  test.each(ALL)("%s in %s has the variables of the English text, each within a DLT variable", (name, _language, { text, limits }) => {
    const named = [...text.matchAll(/\{#(\w+)#\}/g)].map(([, variable]) => variable);
    expect(new Set(named)).toEqual(new Set(Object.keys(limits)));
    expect(Object.keys(limits)).toEqual(Object.keys(SMS_TEMPLATES[name].en.limits));
    for (const [variable, limit] of Object.entries(limits)) if (variable !== "host") expect(limit).toBeLessThanOrEqual(30);
  });
  test.each(ALL)("%s in %s is two segments at most, with every variable at its longest", (name, language, { text, limits }) => {
    // The longest values, in characters of the language.
    const character = { en: "x", te: "అ", hi: "अ" }[language];
    const variables = Object.fromEntries(Object.entries(limits).map(([variable, limit]) => [variable, character.repeat(limit as number)]));
    const { body, template } = fillTemplate("+914000000301", name, variables, language);
    expect(smsSize(body)).toMatchObject({ encoding: language === "en" ? "GSM-7" : "UCS-2" });
    expect(smsSize(body).segments).toBeLessThanOrEqual(2);
    expect(template).toBe(language === "en" ? name : `${name}.${language}`);
    // The message is the registered text with values for its variables.
    const registered = new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{#\w+#\}/g, "(.{1,150})")}$`, "su");
    expect(body).toMatch(registered);
  });
  test.each(LANGUAGES)("fits every date, time and code of a year in %s", (language) => {
    const dates = Array.from({ length: 365 }, (_, i) => addDays("2026-01-01", i));
    const times = Array.from(
      { length: 24 * 12 },
      (_, i) => `${String(Math.floor(i / 12)).padStart(2, "0")}:${String((i % 12) * 5).padStart(2, "0")}`,
    );
    withLanguage(language, () => {
      for (const [i, at] of dates.entries()) {
        const time = times[i % times.length] as string;
        const { body } = reminderMessage({ to: "+914000000301", doctor: "Dr. Asha Rao", date: at, time, host: "nadi.example", language });
        expect(body).toContain(language === "en" ? formatDate(at) : at.split("-").reverse().join("/"));
        expect(body).toContain(clockTime(time));
      }
    });
  });
  test.each(LANGUAGES)("has a title in %s for every decision that is sent by SMS", (language) => {
    withLanguage(language, () => {
      for (const kind of Object.keys(NOTIFICATION_KINDS) as NotificationKind[]) {
        const look: NotificationLook = NOTIFICATION_KINDS[kind];
        if (!look.sms || look.reminder) continue;
        const { title } = wordsOf(kind, {});
        const { body } = decisionMessage({ to: "+914000000301", title, host: "nadi.example", language });
        expect(smsSize(body).segments).toBeLessThanOrEqual(2);
        expect(body).toContain(title.split(" ").slice(0, 2).join(" "));
      }
    });
  });
  test.each(LANGUAGES)("names doctor, day, time and the page of the token when the clinic closed before the turn in %s", (language) => {
    const code = "abcdefghijklmnopqrst";
    const about = { to: "+914000000301", date: "2026-11-27", time: "18:40", code, language };
    const { body, template } = closedMessage({ ...about, doctor: "Dr. Venkata Satyanarayana Murthy Chaganti", host: "nadi.example" });
    expect(template).toBe(language === "en" ? "closed" : `closed.${language}`);
    for (const part of ["Dr. Venkata", language === "en" ? "27 Nov" : "27/11", "6:40 PM", `nadi.example/q/${code}`])
      expect(body).toContain(part);
    expect(smsSize(body).segments).toBeLessThanOrEqual(2);
    const long = closedMessage({ ...about, doctor: "Dr. A", host: "appointments.hospital-nadi.example" });
    expect(long.template).toBe("closed");
  });
  // The message on the page decides which kinds are about a time.
  const TIMED = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) => {
    const { sms }: NotificationLook = NOTIFICATION_KINDS[kind];
    return sms && wordsOf(kind, { date: "2026-12-22", time: "16:35" }).message.includes("4:35");
  });
  test.each(LANGUAGES)("names doctor, date and time in every message about a time in %s", (language) => {
    expect(TIMED).toEqual(expect.arrayContaining(["appointment-moved", "time-proposed-away", "appointment-accepted", "waitlist-offer"]));
    withLanguage(language, () => {
      for (const kind of TIMED) {
        const params = {
          ...{
            doctor: "Dr. Asha Rao",
            patient: "Secretia",
            date: "2026-12-22",
            time: "16:35",
            appointment: "x",
            why: "unwell",
            until: "09:10",
          },
          ...(kind.startsWith("time-proposed") && { options: "2026-12-24 11:05, 2026-12-25 12:05" }),
        };
        const { body } = smsOf(kind, params, { to: "+914000000301", host: "nadi.example" });
        const days = language === "en" ? ["22 Dec 2026", "24 Dec 2026"] : ["22/12/2026", "24/12/2026"];
        for (const part of ["Dr. Asha Rao", days[0]!, "4:35 PM", "nadi.example"]) expect(body, kind).toContain(part);
        if ("options" in params) for (const part of [days[1]!, "11:05 AM"]) expect(body, kind).toContain(part);
        expect(body, kind).not.toContain("Secretia");
        expect(smsSize(body).segments, kind).toBeLessThanOrEqual(2);
        // A token is expected later than its session begins. While it waits its range is known, as the pages show it.
        if (kind.startsWith("waitlist")) continue;
        const token = { ...params, token: "4", expected: "11:25", until: "12:50" };
        const isRange = !NOTIFICATION_KINDS[kind as "appointment-cancelled-by-doctor"].cancelled && !("options" in params);
        for (const one of isRange ? [token, { ...token, until: "" }] : [token]) {
          const { body } = smsOf(kind, one, { to: "+914000000301", host: "nadi.example" });
          expect(body, kind).toContain(isRange && one.until ? "11:25-12:50 PM" : "11:25 AM");
          expect(smsSize(body).segments, kind).toBeLessThanOrEqual(2);
        }
      }
    });
  });
  test("shortens a long name of a doctor between words", () => {
    const doctor = "Dr. Venkata Satyanarayana Subrahmanyam Chintalapati";
    const { body } = changedMessage({
      to: "+914000000301",
      doctor,
      title: "Moved",
      date: "2026-12-22",
      time: "16:35",
      host: "nadi.example",
    });
    expect(body).toContain("Dr. Venkata Satyanarayana..., 22 Dec 2026 at 4:35 PM");
  });
  test.each(LANGUAGES)("states the day and the time of an appointment that the clinic booked in %s", (language) => {
    const { body, template } = bookedMessage({
      to: "+914000000301",
      doctor: "Dr. Asha Rao",
      date: "2026-12-22",
      time: "16:30",
      host: "nadi.example",
      language,
    });
    expect(template).toBe(language === "en" ? "booked" : `booked.${language}`);
    for (const part of ["4:30 PM", "nadi.example"]) expect(body).toContain(part);
    expect(smsSize(body).segments).toBeLessThanOrEqual(2);
  });
  test.each(LANGUAGES)("fits every reason of a cancellation in %s", (language) => {
    withLanguage(language, () => {
      const offer = offerMessage({
        to: "+914000000301",
        doctor: "Dr. Asha Rao",
        date: "2026-12-22",
        time: "16:30",
        ends: "14:10",
        host: "nadi.example",
        language,
      });
      expect(offer.template).toBe(language === "en" ? "offer" : `offer.${language}`);
      for (const part of ["4:30 PM", "2:10 PM", "nadi.example/patient/waitlist"]) expect(offer.body).toContain(part);
      expect(smsSize(offer.body).segments).toBeLessThanOrEqual(2);
      for (const why of [...CANCEL_REASONS, ...VISIT_REASONS].map(cancelReasonSms))
        for (const by of [m.notifications_sms_by_doctor(), m.notifications_sms_by_clinic(), m.notifications_sms_by_nadi()]) {
          const { body, template } = cancelledMessage({
            to: "+914000000301",
            doctor: "Dr. Asha Rao",
            date: "2026-12-22",
            time: "22:30",
            by,
            why,
            host: "nadi.example",
            language,
          });
          expect(template).toBe(language === "en" ? "cancelled" : `cancelled.${language}`);
          for (const part of [why, by, "10:30 PM", "nadi.example"]) expect(body).toContain(part);
          expect(smsSize(body).segments).toBeLessThanOrEqual(2);
        }
    });
  });
  test("uses the English text for a host that is too long for the others", () => {
    const host = "appointments.of.nadi.hospital.example";
    expect(codeMessage({ to: "+914000000301", code: "482916", minutes: 2, host, language: "te" })).toMatchObject({
      template: "code",
      body: expect.stringMatching(/\n@appointments\.of\.nadi\.hospital\.example #482916$/),
    });
  });
  test("ends a code with the autofill line in Telugu and Hindi too", () => {
    for (const language of ["te", "hi"] as const) {
      const { body } = codeMessage({ to: "+914000000301", code: "482916", minutes: 10, host: "nadi.example", language });
      expect(body.split("\n").at(-1)).toBe("@nadi.example #482916");
      expect(body.split("\n")[0]).toContain("482916");
    }
  });
  test("sends MSG91 the registered template id of the language", async () => {
    await using stub = await httpStub(() => providers.msg91.good);
    const sender = providers.msg91.make(stub.url);
    await sender.send(codeMessage({ to: "+914000000301", code: "482916", minutes: 2, host: "nadi.example", language: "hi" }));
    await sender.send(
      reminderMessage({
        to: "+914000000301",
        doctor: "Dr. Asha Rao",
        date: "2026-11-22",
        time: "10:30",
        host: "nadi.example",
        language: "te",
      }),
    );
    expect(stub.seen.map((call) => JSON.parse(String(call.body)).template_id)).toEqual(["nadi-code-hi", "flow-7"]);
  });
  test("cuts a long title between words", () => {
    const { variables } = decisionMessage({ to: "+914000000301", title: "Something that takes far more than thirty letters", host: "a" });
    expect(variables.title).toBe("Something that takes far...");
  });
  test("refuses values that are longer than registered, missing or unknown", () => {
    expect(() => fillTemplate("+914000000301", "code", { code: "4829161", minutes: "2", host: "a" })).toThrow(/code/);
    expect(() => fillTemplate("+914000000301", "code", { code: "482916", minutes: "2" })).toThrow(/host/);
    expect(() => fillTemplate("+914000000301", "code", { code: "482916", minutes: "2", host: "a", other: "x" })).toThrow(/other/);
  });
  test("does not interpret $ in a value", () => {
    expect(fillTemplate("+914000000301", "code", { code: "$&$1$$", minutes: "2", host: "a" }).body).toContain("$&$1$$ is your Nadi code");
  });
});
