/** Conversations by WhatsApp against a server that speaks Meta's wire format and misbehaves. */
import { and, asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { appointments, inboundMessages, messageThreads, outboundMessages, outboxMessages, practices, users } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { transact } from "#app/domains/context.server.ts";
import { setStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { makeDoctor, makePatient, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { countWaiting } from "../../../../tests/setup/locked.ts";
import { type Mood, pressed, signed, signedBody, startMeta, status, text, wrote } from "../../../../tests/setup/meta.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { randomOf } from "../../../../tests/setup/waitlist-simulation.ts";
import { answerThread, lockThread } from "../answers/answer-thread.server.ts";
import { pushQuestion } from "../answers/push-question.server.ts";
import type { StoredMessage } from "../conversation/render.ts";
import { readDemoPhone } from "../demo-phone/demo-phone.server.ts";
import { receiveMessage } from "../receive/receive-message.server.ts";
import { receiveProviderMessages } from "../receive/receive-webhook.server.ts";
import { sendMessage } from "./send-message.server.ts";

const { db, sql, ctx: bare } = testDb();
const day = addDays(todayInIndia(new Date()), 9);
const noon = instantInIndia(addDays(day, -4), "12:00");
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

let meta: Awaited<ReturnType<typeof startMeta>>;
let doctor: TestDoctor;
let phone: string;
let keyword = 500;
let word = "";
beforeAll(async () => {
  meta = await startMeta();
});
afterAll(() => meta[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const list of [meta.moods, meta.accepted, meta.seen]) list.length = 0;
  await db.delete(messageThreads);
  phone = newPhone();
  word = `MAYA${++keyword}`;
  const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: day, time }));
  doctor = await makeDoctor(db, { name: "Dr. Venkat Rao", slots });
  await db.update(practices).set({ keyword: word }).where(eq(practices.id, doctor.id));
});

const ctx = (now = noon) => {
  const base = bare(null, now);
  return { ...base, integrations: { ...base.integrations, whatsapp: meta.sender, inbound: { whatsapp: meta.source } } };
};
/** Posts a webhook. */
const report = (sent: ReturnType<typeof signedBody>, now = noon) =>
  receiveProviderMessages(ctx(now), "whatsapp", {
    ...sent,
    query: new URLSearchParams(),
    url: "https://nadi.example/webhooks/message/whatsapp",
  });
const messagesOf = (messages: object[], now = noon) => report(signed({ messages }), now);
const statusesOf = (statuses: object[], now = noon) => report(signed({ statuses }), now);
/** Runs the jobs: answers what waits, and sends what is queued. Returns what failed. */
async function runJobs(now = noon): Promise<unknown[]> {
  for (const { id } of await db.select({ id: messageThreads.id }).from(messageThreads)) await answerThread(ctx(now), id);
  const waiting = await db
    .select({ id: outboundMessages.id })
    .from(outboundMessages)
    .where(inArray(outboundMessages.state, ["queued", "sending"]))
    .orderBy(asc(outboundMessages.createdAt));
  const failed: unknown[] = [];
  for (const { id } of waiting) await sendMessage(ctx(now), id).catch((error: unknown) => failed.push(error));
  return failed;
}
const say = async (content: object, now: Date) => {
  await messagesOf([wrote(phone, now, content)], now);
  expect(await runJobs(now)).toEqual([]);
};
const last = () => meta.accepted.at(-1)!;
const threadOf = async (channel: MessageChannel) =>
  (
    await db
      .select()
      .from(messageThreads)
      .where(and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel)))
  )[0];
const statesOf = async () =>
  (await db.select({ state: outboundMessages.state }).from(outboundMessages)).map(({ state }) => state).toSorted();
const smsTo = async () =>
  (
    await db
      .select()
      .from(outboxMessages)
      .where(and(eq(outboxMessages.to, phone), eq(outboxMessages.channel, "sms")))
  ).map(({ body }) => body);
const stored = () => db.select().from(inboundMessages);

/** Books by WhatsApp, as a user presses and types. */
async function book(): Promise<void> {
  await say(text(word), noon);
  const [first] = last().interactive!.action.buttons!;
  await say(pressed(first!.reply.id, first!.reply.title), later(1));
  await say(text("Lakshmi Devi 34 F"), later(2));
}
const noticeOf = async () => {
  const owner = (await threadOf("whatsapp"))!.patientId!;
  const [visit] = await db.query.appointments.findMany({ where: (t, { eq: is }) => is(t.patientId, owner) });
  return { userId: owner, kind: "appointment-reminder-day", params: { appointment: visit!.id } };
};

describe("a conversation", () => {
  it("books with buttons, and shows on the demo's phone what Meta got", async () => {
    await book();
    expect(meta.accepted.map(({ type, interactive }) => interactive?.type ?? type)).toEqual(["button", "text", "button"]);
    expect(last().interactive!.body.text).toContain("Request sent: Lakshmi, ");
    const lines = (await readDemoPhone(ctx(later(3)), phone, "whatsapp")).filter(({ own }) => !own);
    const shown = lines.map(({ body, choices }) => ({ body, choices: choices.map(({ label, value }) => ({ title: label, id: value })) }));
    const sent = meta.accepted.map(({ text: plain, interactive }) => ({
      body: plain?.body ?? interactive!.body.text,
      choices: (interactive?.action.buttons ?? []).map(({ reply: { id, title } }) => ({ title, id })),
    }));
    expect(shown).toEqual(sent);
  });
  it("stores a message once and answers it once, however often and at once it is reported", async () => {
    const hello = wrote(phone, noon, text(word));
    await Promise.all(Array.from({ length: 10 }, () => messagesOf([hello])));
    await runJobs();
    await messagesOf([hello, hello], later(1));
    await runJobs(later(1));
    expect(await stored()).toHaveLength(1);
    expect(meta.accepted).toHaveLength(1);
  });
  it("reads messages in the order in which they were written, whatever the order of their reports", async () => {
    await say(text(word), noon);
    const [first] = last().interactive!.action.buttons!;
    const name = wrote(phone, later(2), text("Lakshmi Devi 34 F"));
    const choice = wrote(phone, later(1), pressed(first!.reply.id, first!.reply.title));
    await messagesOf([name], later(3));
    await messagesOf([choice], later(3));
    await runJobs(later(3));
    expect(last().interactive!.body.text).toContain("Request sent: Lakshmi");
  });
  it("keeps the order of messages of one second in one report", async () => {
    await messagesOf([wrote(phone, noon, text(word)), wrote(phone, noon, text("1")), wrote(phone, noon, text("Lakshmi Devi 34 F"))]);
    await runJobs();
    expect(last().interactive!.body.text).toContain("Request sent: Lakshmi");
  });
  it("answers a picture and a voice message with what it understands, and takes neither for a name", async () => {
    await say({ type: "audio", audio: { id: "1", mime_type: "audio/ogg" } }, noon);
    expect(last().text!.body).toContain("BOOK");
    await say(text(word), later(1));
    const [first] = last().interactive!.action.buttons!;
    await say(pressed(first!.reply.id, first!.reply.title), later(2));
    await say({ type: "image", image: { id: "2", mime_type: "image/jpeg" } }, later(3));
    expect(last().text!.body).toContain("reply with the patient's name");
  });
  it("lets no health word leave", async () => {
    const words = ["diabetes", "HIV", "మధుమేహం", "गर्भवती"];
    await book();
    for (const [i, illness] of words.entries()) await say(text(`I have ${illness}, can I come?`), later(3 + i));
    await say({ type: "image", image: { id: "1", caption: "my HIV report" } }, later(8));
    const left = meta.seen.map(({ body }) => String(body)).join();
    for (const illness of words) expect(left).not.toContain(illness);
  });
});

describe("a webhook", () => {
  const hello = () => wrote(phone, noon, text(word));
  it.each<[string, () => ReturnType<typeof signedBody>, string]>([
    ["of another app", () => signed({ messages: [hello()] }, { secret: "another-secret" }), "forbidden"],
    ["without a signature", () => ({ ...signed({ messages: [hello()] }), headers: new Headers() }), "forbidden"],
    ["with the signature of another body", () => ({ ...signed({ messages: [hello()] }), headers: signed({}).headers }), "forbidden"],
    ["that is no JSON", () => signedBody("{"), "invalid"],
    ["of another product", () => signedBody('{"object":"page","entry":[]}'), "invalid"],
  ])("%s is refused, and nothing is stored", async (_, sent, code) => {
    await expect(report(sent())).rejects.toMatchObject({ code });
    expect(await db.select().from(messageThreads)).toEqual([]);
  });
  it.each<[string, () => ReturnType<typeof signedBody>]>([
    ["of another number of the account", () => signed({ messages: [hello()] }, { phoneId: "999" })],
    ["of a message that is played back after weeks", () => signed({ messages: [wrote(phone, later(-60 * 24 * 20), text(word))] })],
    ["of a reaction", () => signed({ messages: [wrote(phone, noon, { type: "reaction", reaction: { emoji: "👍" } })] })],
    ["of a number outside India", () => signed({ messages: [wrote("+14155550100", noon, text(word))] })],
  ])("%s is taken, and nothing is stored", async (_, sent) => {
    await report(sent());
    expect(await db.select().from(messageThreads)).toEqual([]);
  });
  it("of a user without a number is answered once a day, danger words each time, and no text is stored", async () => {
    const nameless = (content: object) => ({ ...wrote("", noon, content), from: undefined, from_user_id: "IN.13491208655302741918" });
    const [hi, danger] = [nameless(text("నమస్తే")), nameless(text("severe chest pain"))];
    meta.moods.push({ status: 500 });
    await expect(messagesOf([hi])).rejects.toMatchObject({ code: "unavailable" });
    for (let again = 0; again < 3; again++) await messagesOf([hi, danger], later(again));
    await messagesOf([nameless(text("HI")), nameless(text("heart attack"))], later(5));
    expect(meta.accepted.map((sent) => sent.recipient)).toEqual(Array.from({ length: 3 }, () => "IN.13491208655302741918"));
    const [first, ...others] = meta.accepted.map((sent) => sent.text!.body);
    expect(first).toContain("లో బుక్ చేయండి");
    for (const body of others) expect(body).toContain("112");
    expect(await db.select().from(messageThreads)).toEqual([]);
  });
  it("of a user without a number ends at twenty dangers in an hour", async () => {
    const danger = (n: number) => ({ ...wrote("", noon, text(`chest pain ${n}`)), from: undefined, from_user_id: "IN.2208655302741918" });
    await messagesOf(Array.from({ length: 22 }, (_, n) => danger(n)));
    expect(meta.accepted).toHaveLength(20);
    await messagesOf([danger(22)], later(61));
    expect(meta.accepted).toHaveLength(21);
  });
  it("is taken whole although the answer to a user without a number fails", async () => {
    meta.moods.push({ status: 400, code: 131056 });
    const nameless = { ...wrote("", noon, text("HI")), from: undefined, from_user_id: "IN.3308655302741918" };
    const report = [nameless, hello()];
    await expect(messagesOf(report)).rejects.toMatchObject({ code: "unavailable" });
    expect(await stored()).toHaveLength(1);
    await messagesOf(report, later(1));
    expect(meta.accepted).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });
  it("is read although the id of its user has an unknown form", async () => {
    await messagesOf([{ ...hello(), from_user_id: "in:5" }]);
    expect(await stored()).toHaveLength(1);
  });
  it("is read although one of its messages is unknown", async () => {
    await messagesOf([{ type: "poll" }, hello(), { id: 5 }]);
    expect(await stored()).toHaveLength(1);
  });
  it("takes a value of a button that is not ours for its words", async () => {
    await messagesOf([wrote(phone, noon, pressed("drop table", "HI"))]);
    expect(await stored()).toMatchObject([{ pressed: null }]);
  });
  it("confirms its address to who knows the word", () => {
    const asked = (more: object) =>
      meta.source.confirm!(new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "1158201444", ...more }));
    expect(asked({ "hub.verify_token": "word-for-the-address-of-the-test" })).toBe("1158201444");
    for (const wrong of [
      {},
      { "hub.verify_token": "wrong" },
      { "hub.verify_token": "word-for-the-address-of-the-test", "hub.challenge": "<b>" },
    ])
      expect(() => asked(wrong)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});

describe("what becomes of a message", () => {
  it("is noted in any order, and never goes back", async () => {
    await say(text(word), noon);
    const states = ["sent", "delivered", "read"];
    for (const order of [["read", "sent", "delivered"], ["delivered", "failed", "sent"], states]) {
      await db.update(outboundMessages).set({ state: "sent" });
      await statusesOf(order.map((state) => status(last(), state)));
      for (const state of states) await statusesOf([status(last(), state)]);
      expect(await statesOf()).toEqual(["read"]);
    }
    expect(await smsTo()).toEqual([]);
  });
  it("is found by Meta's id where it does not repeat ours", async () => {
    await say(text(word), noon);
    await statusesOf([{ ...status(last(), "delivered"), biz_opaque_callback_data: undefined }]);
    expect(await statesOf()).toEqual(["delivered"]);
    await statusesOf([{ ...status(last(), "read"), id: "wamid.of-another", biz_opaque_callback_data: "not-ours" }]);
    expect(await statesOf()).toEqual(["delivered"]);
  });
  it("sends the same text by SMS, once, where it failed", async () => {
    await say(text(word), noon);
    await Promise.all(Array.from({ length: 6 }, () => statusesOf([status(last(), "failed")], later(1))));
    await Promise.all([runJobs(later(1)), statusesOf([status(last(), "failed")], later(1))]);
    await statusesOf([status(last(), "failed")], later(2));
    await runJobs(later(2));
    const sms = await smsTo();
    expect(sms).toEqual([expect.stringContaining("Dr. Venkat Rao")]);
    expect(sms[0]).toContain("Reply with a number.");
    expect(await statesOf()).toEqual(["failed", "sent"]);
  });
  it("waits for its conversation before it locks a message that failed, as an account that is deleted does", async () => {
    await say(text(word), noon);
    const { id } = (await threadOf("whatsapp"))!;
    let reported: Promise<void> | undefined;
    await transact(ctx(), async (tx) => {
      await lockThread(tx, id);
      reported = statusesOf([status(last(), "failed")], later(1));
      await vi.waitFor(async () => expect(await countWaiting({ sql })).toBe(1));
      // With the other order each waits for the other.
      await tx.db.select({ id: outboundMessages.id }).from(outboundMessages).where(eq(outboundMessages.threadId, id)).for("update");
    });
    await reported;
    expect(await statesOf()).toEqual(["failed", "queued"]);
  });
  it("understands the answer to it by SMS", async () => {
    await say(text(word), noon);
    await statusesOf([status(last(), "failed")], later(1));
    const by = { provider: "test", channel: "sms" as const, phone, kind: "text" as const };
    await receiveMessage(ctx(later(2)), { ...by, providerId: `sms-${phone}-1`, text: "1", sentAt: later(2) });
    await runJobs(later(2));
    await receiveMessage(ctx(later(3)), { ...by, providerId: `sms-${phone}-2`, text: "Lakshmi Devi 34 F", sentAt: later(3) });
    await runJobs(later(3));
    expect((await smsTo()).at(-1)).toContain("Request sent: Lakshmi");
  });
  it("sends no SMS to a phone that another account has by now, or after STOP", async () => {
    await book();
    const { id, patientId } = (await threadOf("whatsapp"))!;
    await db
      .update(messageThreads)
      .set({ stoppedAt: later(3) })
      .where(eq(messageThreads.id, id));
    await statusesOf([status(last(), "failed")], later(4));
    await db.update(messageThreads).set({ stoppedAt: null }).where(eq(messageThreads.id, id));
    await db.update(users).set({ phone: newPhone() }).where(eq(users.id, patientId!));
    await makePatient(db, { phone });
    await statusesOf([status(meta.accepted[0]!, "failed")], later(5));
    expect(await runJobs(later(6))).toEqual([]);
    expect(await smsTo()).toEqual([]);
  });
});

describe("while Meta misbehaves", () => {
  it("sends once what it did not take", async () => {
    meta.moods.push({ status: 500 }, { status: 429, code: 130429 }, { status: 503, body: "" });
    await messagesOf([wrote(phone, noon, text(word))]);
    for (const minute of [0, 1, 2]) expect(await runJobs(later(minute))).toMatchObject([{ code: "unavailable" }]);
    expect(await statesOf()).toEqual(["queued"]);
    for (const minute of [3, 4]) expect(await runJobs(later(minute))).toEqual([]);
    expect(meta.accepted).toHaveLength(1);
    expect(await statesOf()).toEqual(["sent"]);
  });
  it("does not send again what it took, although its answer was lost", async () => {
    meta.moods.push("lost");
    await messagesOf([wrote(phone, noon, text(word))]);
    expect(await runJobs()).toMatchObject([{ code: "unavailable" }]);
    await statusesOf([status(last(), "sent")]);
    await runJobs(later(1));
    expect(meta.accepted).toHaveLength(1);
    expect(await db.select().from(outboundMessages)).toMatchObject([{ state: "sent", providerId: last().wamid }]);
  });
  it("takes a report that is here before its answer", async () => {
    meta.moods.push("lost");
    await messagesOf([wrote(phone, noon, text(word))]);
    const jobs = runJobs();
    await expect.poll(() => meta.accepted.length).toBe(1);
    await statusesOf([status(last(), "delivered")]);
    expect(await jobs).toEqual([]);
    expect(await statesOf()).toEqual(["delivered"]);
  });
  it("does not send twice at once, and goes on after a process that died", async () => {
    await messagesOf([wrote(phone, noon, text(word))]);
    for (const { id } of await db.select({ id: messageThreads.id }).from(messageThreads)) await answerThread(ctx(), id);
    const [waiting] = await db.select({ id: outboundMessages.id }).from(outboundMessages);
    await db.update(outboundMessages).set({ state: "sending", sentAt: noon });
    await expect(sendMessage(ctx(later(0.1)), waiting!.id)).rejects.toMatchObject({ code: "unavailable" });
    await Promise.allSettled(Array.from({ length: 5 }, () => sendMessage(ctx(later(1)), waiting!.id)));
    expect(meta.accepted).toHaveLength(1);
    expect(await statesOf()).toEqual(["sent"]);
  });
  it("sends by SMS what it refuses, and where WhatsApp is not configured any more", async () => {
    meta.moods.push({ status: 400, code: 131026 });
    await say(text(word), noon);
    await runJobs(later(1));
    expect(await smsTo()).toHaveLength(1);
    await messagesOf([wrote(phone, later(2), text("TOKEN"))], later(2));
    const without = { ...ctx(later(2)), integrations: { ...ctx().integrations, whatsapp: null } };
    await answerThread(without, (await threadOf("whatsapp"))!.id);
    for (let turn = 0; turn < 2; turn++)
      for (const { id } of await db.select({ id: outboundMessages.id }).from(outboundMessages)) await sendMessage(without, id);
    expect(await smsTo()).toEqual([expect.any(String), "You have no token today."]);
  });
});

it.each([1, 2, 3])("answers each message once, by one way, whatever is lost, repeated and late (seed %i)", async (seed) => {
  const random = randomOf(seed);
  const moods: Mood[] = ["lost", { status: 500 }, { status: 429, code: 130429 }, { status: 400, code: 131026 }];
  const phones = Array.from({ length: 4 }, newPhone);
  const asked = phones.flatMap((from) => [wrote(from, noon, text("TOKEN")), wrote(from, later(1), text("TOKEN"))]);
  const reports: (() => Promise<void>)[] = [...asked, ...asked].map((one) => () => messagesOf([one], later(2)));
  const reported = new Map<string, string[]>();
  for (let round = 0; round < 14; round++) {
    meta.moods.splice(0, Infinity, ...(round < 8 ? [moods[Math.floor(random() * 4)]!, moods[Math.floor(random() * 4)]!] : []));
    // Meta reports each message that it took in any order, some of it twice.
    for (const sent of meta.accepted.filter(({ wamid }) => !reported.has(wamid))) {
      const states = random() < 0.3 ? ["sent", "failed", "failed"] : ["read", "delivered", "sent", "delivered"];
      reported.set(sent.wamid, states);
      for (const state of states) reports.push(() => statusesOf([status(sent, state)], later(3 + round)));
    }
    const due = reports.splice(0, Infinity).toSorted(() => random() - 0.5);
    await Promise.all(due.map((one) => one()));
    // Repeated while the next ones are sent.
    await Promise.all([runJobs(later(3 + round)), ...due.map((one) => one())]);
  }
  const rows = await db
    .select({ id: outboundMessages.id, state: outboundMessages.state, channel: messageThreads.channel, phone: messageThreads.phone })
    .from(outboundMessages)
    .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId));
  const failed = rows.filter(({ state }) => state === "failed");
  for (const from of phones) {
    const own = rows.filter((row) => row.phone === from);
    expect(own.filter(({ channel }) => channel === "whatsapp")).toHaveLength(2);
    expect(own.filter(({ channel }) => channel === "sms")).toHaveLength(failed.filter((row) => row.phone === from).length);
  }
  expect(rows.filter(({ state }) => ["queued", "sending"].includes(state))).toEqual([]);
  // Each message was taken once.
  const ids = meta.accepted.map((one) => one.biz_opaque_callback_data);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Reports that a message failed which was taken before. */
async function statesBackTo(id: string, now: Date): Promise<void> {
  await db.update(outboundMessages).set({ state: "sent" }).where(eq(outboundMessages.id, id));
  await statusesOf([status(meta.accepted.find((one) => one.biz_opaque_callback_data === id)!, "failed")], now);
}

describe("24 hours after the user wrote", () => {
  const tomorrow = later(60 * 25);
  it("sends a reminder as an approved text, whose buttons are understood", async () => {
    await book();
    expect(await pushQuestion(ctx(tomorrow), phone, await noticeOf())).toBe("sent");
    await runJobs(tomorrow);
    const { template } = last();
    expect(template).toMatchObject({ name: "nadi_reminder", language: { code: "en" } });
    const shown = (await readDemoPhone(ctx(tomorrow), phone, "whatsapp")).at(-1)!;
    for (const { text: value } of template!.components[0]!.parameters) expect(shown.body).toContain(value);
    expect(shown.choices.map(({ value }) => value)).toEqual(template!.components.slice(1).map(({ parameters }) => parameters[0]!.payload));
    const cancel = template!.components[2]!.parameters[0]!.payload;
    await messagesOf([wrote(phone, tomorrow, { type: "button", button: { payload: cancel, text: "Cancel" } })], tomorrow);
    await runJobs(tomorrow);
    expect(last().text!.body).toContain("Cancelled: ");
  });
  it("sends no reminder that waited until it was no longer true, or until STOP", async () => {
    await book();
    const notice = await noticeOf();
    const cancelled = { id: notice.params.appointment, status: "cancelled" as const };
    for (const over of ["stopped", "cancelled"]) {
      meta.moods.push({ status: 500 });
      await pushQuestion(ctx(tomorrow), phone, notice);
      expect(await runJobs(tomorrow)).toHaveLength(1);
      const before = meta.seen.length;
      if (over === "stopped") await setStopped(ctx(tomorrow), phone, true);
      else await db.update(appointments).set({ status: cancelled.status }).where(eq(appointments.id, cancelled.id));
      expect(await runJobs(tomorrow)).toEqual([]);
      expect(meta.seen).toHaveLength(before);
      await setStopped(ctx(tomorrow), phone, false);
    }
    expect(await statesOf()).toEqual(["sent", "sent", "sent"]);
    expect(await smsTo()).toEqual([]);
  });
  it("sends a reminder that failed by SMS without numbers while another question by SMS is open, and none after the visit", async () => {
    await book();
    await pushQuestion(ctx(tomorrow), phone, await noticeOf());
    await runJobs(tomorrow);
    const reminder = last();
    const by = { provider: "test", channel: "sms" as const, phone, kind: "text" as const };
    await receiveMessage(ctx(tomorrow), { ...by, providerId: `sms-${phone}`, text: word, sentAt: tomorrow });
    await runJobs(tomorrow);
    const visit = new Date(noon.getTime() + 5 * 86_400_000);
    await statesBackTo(reminder.biz_opaque_callback_data, visit);
    await runJobs(visit);
    expect(await smsTo()).toHaveLength(1);
    await statesBackTo(reminder.biz_opaque_callback_data, tomorrow);
    await runJobs(tomorrow);
    const sms = await smsTo();
    expect(sms).toHaveLength(2);
    expect(sms.at(-1)).toContain("Please log in");
    expect(sms.at(-1)).not.toContain("2 Cancel");
  });
  it("sends other texts by SMS", async () => {
    await book();
    const { id } = (await threadOf("whatsapp"))!;
    const [row] = await db
      .select({ id: outboundMessages.id, content: opened(outboundMessages.content) })
      .from(outboundMessages)
      .where(eq(outboundMessages.threadId, id))
      .orderBy(asc(outboundMessages.createdAt));
    const content = row!.content as unknown as StoredMessage;
    await db
      .update(outboundMessages)
      .set({ state: "queued", content: sealed(outboundMessages.content, row!.id, content) })
      .where(eq(outboundMessages.id, row!.id));
    meta.accepted.length = 0;
    await sendMessage(ctx(tomorrow), row!.id);
    await runJobs(tomorrow);
    expect(meta.accepted).toEqual([]);
    expect(await smsTo()).toEqual([expect.stringContaining("Dr. Venkat Rao")]);
  });
});
