/** Members of a clinic who answer messages. */
import { and, asc, eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditLog, doctors, memberships, messageThreads, outboundMessages, practices } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { makeAdmin } from "../../../../tests/factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { answerThread } from "../answers/answer-thread.server.ts";
import { namesIllness } from "../conversation/names-illness.ts";
import type { Rendered } from "../conversation/render.ts";
import { sendMessage } from "../delivery/send-message.server.ts";
import { KeywordSchema } from "../keywords/keyword.schema.ts";
import { findOwnKeyword, listKeywords, setKeyword, setOwnKeyword } from "../keywords/keywords.server.ts";
import { receiveMessage, sweepMessages } from "../receive/receive-message.server.ts";
import { answerAsMember, handBack } from "./answer-as-member.server.ts";
import { deskMessage } from "./desk-message.ts";
import { costOf, inboxStatistics, listThreads, openThread } from "./queries.server.ts";

const { db, ctx } = testDb();
const day = addDays(todayInIndia(new Date()), 5);
const noon = instantInIndia(addDays(day, -3), "12:00");
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

let place: Awaited<ReturnType<typeof makePlace>>;
let doctor: TestDoctor;
let [reception, other]: Actor[] = [];
let from: { phone: string; channel: MessageChannel };
let threadId = "";
let ids = 0;
let doctorsWord = "";
const keyword = () => `DESK${ids}`;
const write = async (text: string, at: Date, channel: MessageChannel = "sms") => {
  from = { ...from, channel };
  const message = { ...from, provider: "test", providerId: String(++ids), kind: "text" as const, text, sentAt: at };
  const thread = await receiveMessage(ctx(null, at), message);
  if (thread) await answerThread(ctx(null, at), thread);
  return thread!;
};
beforeEach(async () => {
  place = await makePlace(db);
  doctor = await makeDoctor(db, { name: "Dr. Venkat Rao", slots: [{ date: day, time: "10:00" }] });
  await db.update(doctors).set({ hospitalId: place.id }).where(eq(doctors.id, doctor.id));
  await addPlaceDoctor(db, place.id, doctor.id);
  ids++;
  doctorsWord = keyword();
  await db.update(practices).set({ keyword: doctorsWord }).where(eq(practices.id, doctor.id));
  [reception, other] = [await makeMember(db, place.id, "reception"), await makeMember(db, place.id, "reception")];
  from = { phone: newPhone(), channel: "sms" };
  await write(doctorsWord, noon);
  threadId = await write("Can I bring my mother too", later(1));
});

const desk = () => ({ hospitalId: place.id, doctorIds: [doctor.id] });
const of = () => ({ hospitalId: place.id, threadId });
const answer = (actor: Actor | undefined, message: string, more: { at?: Date; key?: string; seen?: string } = {}) =>
  answerAsMember(ctx(actor!, more.at ?? later(5)), of(), {
    intent: "answer",
    message,
    key: more.key ?? randomToken(),
    seen: more.seen ?? "",
  });
const told = async () => {
  const rows = await db
    .select({ content: opened(outboundMessages.content) })
    .from(outboundMessages)
    .where(eq(outboundMessages.threadId, threadId))
    .orderBy(asc(outboundMessages.createdAt));
  return rows.map(({ content }) => (content as unknown as Rendered).body);
};

it("lists what Nadi does not understand for the clinic of the doctor, and writes who read it", async () => {
  const [thread] = await listThreads(ctx(reception!, later(2)), desk(), false);
  expect(thread).toMatchObject({ id: threadId, text: "Can I bring my mother too", answerer: "waiting" });
  const { lines, thread: open } = await openThread(ctx(reception!, later(2)), desk(), threadId);
  expect(lines.map(({ by }) => by)).toEqual(["user", "nadi", "user", "nadi"]);
  expect(open.answerUntil).toEqual(later(1 + 24 * 60));
  expect(
    await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, threadId), eq(auditLog.action, "read-messages"))),
  ).toHaveLength(2);
});

describe("an answer", () => {
  it("is sent once, and Nadi is silent until the conversation is handed back", async () => {
    const key = randomToken();
    await Promise.all([answer(reception, "Yes, bring her", { key }), answer(reception, "Yes, bring her", { key })]);
    expect((await told()).filter((text) => text.includes("Yes, bring her"))).toHaveLength(1);
    expect(await listThreads(ctx(reception!, later(6)), desk(), false)).toEqual([]);
    const before = await told();
    await write("Thank you", later(7));
    await write("WHEN", later(8));
    expect(await told()).toEqual(before);
    expect(await listThreads(ctx(reception!, later(9)), desk(), false)).toHaveLength(1);
    await write("severe chest pain", later(10));
    expect((await told()).at(-1)).toContain("112");
    await handBack(ctx(reception!, later(11)), of());
    await handBack(ctx(reception!, later(11)), of());
    await write("WHEN", later(12));
    expect((await told()).at(-1)).toContain("You have no appointment");
  });
  it("of a second member is refused until they have read the first", async () => {
    await answer(reception, "Yes, bring her");
    await expect(answer(other, "No, come alone")).rejects.toMatchObject({ code: "conflict" });
    const { lines } = await openThread(ctx(other!, later(6)), desk(), threadId);
    await answer(other, "And her papers", { seen: lines.at(-1)!.id, at: later(6) });
    expect(await told()).toHaveLength(4);
  });
  it("of two members at once: one is sent", async () => {
    const both = await Promise.allSettled([answer(reception, "Yes"), answer(other, "No")]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
  it("is refused after 24 hours, with an illness, and when it is too long for an SMS", async () => {
    await expect(answer(reception, "Yes", { at: later(1 + 24 * 60 + 1) })).rejects.toMatchObject({ code: "conflict" });
    await expect(answer(reception, "Your fever needs a test")).rejects.toMatchObject({ code: "invalid" });
    await expect(answer(reception, "word ".repeat(40))).rejects.toMatchObject({ code: "invalid" });
    expect(await told()).toHaveLength(2);
  });
});

it("shows nothing to another clinic, to billing, to a former member, or to one who acts for another doctor", async () => {
  const elsewhere = await makePlace(db);
  const colleague = await makeDoctor(db, {});
  await addPlaceDoctor(db, place.id, colleague.id);
  const limited = await makeMember(db, place.id, "reception", { doctorIds: [colleague.id] });
  const former = await makeMember(db, place.id, "reception", { state: "ended" });
  const billing = await makeMember(db, place.id, "billing");
  for (const [actor, hospitalId, doctorIds] of [
    [elsewhere.owner, elsewhere.id, [doctor.id]],
    [elsewhere.owner, place.id, [doctor.id]],
    [limited, place.id, [colleague.id]],
    [former, place.id, [doctor.id]],
    [billing, place.id, [doctor.id]],
  ] as const) {
    await expect(openThread(ctx(actor, later(2)), { hospitalId, doctorIds }, threadId)).rejects.toThrow();
    await expect(handBack(ctx(actor, later(2)), { hospitalId, threadId })).rejects.toThrow();
    await expect(
      answerAsMember(ctx(actor, later(2)), { hospitalId, threadId }, { intent: "ready", ready: "desk-yes", key: randomToken(), seen: "" }),
    ).rejects.toThrow();
  }
  expect(await told()).toHaveLength(2);
  expect(await db.select().from(messageThreads).where(eq(messageThreads.id, threadId))).toMatchObject([{ answerer: "waiting" }]);
});

it("keeps a question at the clinic that was asked, and shows another one nothing of it", async () => {
  const second = await makePlace(db);
  const word = `SECOND${ids}`;
  const colleague = await makeDoctor(db, { name: "Dr. Second", slots: [{ date: day, time: "11:00" }] });
  await db.update(doctors).set({ hospitalId: second.id }).where(eq(doctors.id, colleague.id));
  await addPlaceDoctor(db, second.id, colleague.id);
  await db.update(practices).set({ keyword: word }).where(eq(practices.id, colleague.id));
  await write(word, later(3));
  const there = { hospitalId: second.id, doctorIds: [colleague.id] };
  expect(await listThreads(ctx(second.owner, later(5)), there, true)).toEqual([]);
  await expect(openThread(ctx(second.owner, later(5)), there, threadId)).rejects.toMatchObject({ code: "not-found" });
  expect(await listThreads(ctx(reception!, later(5)), desk(), false)).toHaveLength(1);
  await answer(reception, "Yes, bring her");
  await handBack(ctx(reception!, later(6)), of());
  // Asked afterwards, the second clinic sees only what was about it.
  await write(word, later(7));
  await write("Is there a lift", later(8));
  const { lines } = await openThread(ctx(second.owner, later(9)), there, threadId);
  expect(lines.some(({ body }) => body.includes("mother") || body.includes("bring her") || body.includes("Venkat"))).toBe(false);
  expect(lines.some(({ body }) => body === "Is there a lift")).toBe(true);
});

it("takes an open question of a clinic that was merged to the clinic that has its doctors now", async () => {
  from = { phone: newPhone(), channel: "sms" };
  threadId = await write(doctorsWord, later(2));
  const into = await makePlace(db);
  await mergeHospitals(ctx(await makeAdmin(db), later(3)), { id: place.id, into: into.id });
  await write("1", later(4));
  await write("Can I bring my mother too?", later(5));
  expect(await db.select().from(messageThreads).where(eq(messageThreads.id, threadId))).toMatchObject([
    { hospitalId: into.id, answerer: "waiting" },
  ]);
});

it("asks to call a clinic where no member can answer", async () => {
  await db.delete(memberships).where(eq(memberships.hospitalId, place.id));
  from = { phone: newPhone(), channel: "sms" };
  await write(doctorsWord, later(2));
  threadId = await write("Can I bring my mother too", later(3));
  expect((await told()).at(-1)).toMatch(/Please call the clinic|reply BOOK/);
  expect(await db.select().from(messageThreads).where(eq(messageThreads.id, threadId))).toMatchObject([
    { answerer: "nadi", waitingSince: null },
  ]);
});

it("lets Nadi answer again a day after the last answer of a member", async () => {
  await answer(reception, "Yes, bring her");
  await write("WHEN", later(60));
  const before = await told();
  await write("WHEN", later(5 + 25 * 60));
  expect(await told()).toHaveLength(before.length + 1);
});

it("passes a message whose command fails to the clinic, and answers those after it", async () => {
  from = { phone: newPhone(), channel: "sms" };
  threadId = await write(doctorsWord, later(2));
  const own = eq(messageThreads.id, threadId);
  const [row] = await db
    .select({ state: opened(messageThreads.state) })
    .from(messageThreads)
    .where(own);
  const { questions, ...state } = row!.state!;
  // The database refuses what the next days of this doctor are looked up with.
  const broken = JSON.parse(JSON.stringify(questions).replaceAll(doctor.id, "broken"));
  await db
    .update(messageThreads)
    .set({ state: sealed(messageThreads.state, threadId, { ...state, questions: broken }) })
    .where(own);
  for (const [i, text] of ["0", "WHEN", "severe chest pain"].entries())
    await receiveMessage(ctx(null, later(3 + i)), {
      ...from,
      provider: "test",
      providerId: String(++ids),
      kind: "text",
      text,
      sentAt: later(3 + i),
    });
  await answerThread(ctx(null, later(6)), threadId);
  const answers = (await told()).slice(1).join("\n");
  for (const part of ["112", "I pass this on to the clinic", "You have no appointment"]) expect(answers).toContain(part);
  await write("severe chest pain", later(7));
  expect((await told()).at(-1)).toContain("112");
  expect(await listThreads(ctx(reception!, later(8)), desk(), false)).toContainEqual(expect.objectContaining({ id: threadId }));
  const { lines } = await openThread(ctx(reception!, later(8)), desk(), threadId);
  expect(lines.map(({ body }) => body)).toContain("0");
});

it("shows an answer that the provider refuses as late, and as failed after the last retry", async () => {
  await answer(reception, "Yes, bring her");
  const [row] = await db
    .select({ id: outboundMessages.id })
    .from(outboundMessages)
    .where(and(eq(outboundMessages.threadId, threadId), isNotNull(outboundMessages.memberId)));
  const refuses = { send: () => Promise.reject(new DomainError("unavailable")) };
  const base = ctx(null, later(6));
  await expect(sendMessage({ ...base, integrations: { ...base.integrations, sms: refuses } }, row!.id)).rejects.toThrow();
  const problem = async (at: Date) => {
    await sweepMessages(ctx(null, at));
    return (await openThread(ctx(reception!, at), desk(), threadId)).lines.find(({ by }) => by === "member")?.problem;
  };
  expect(await problem(later(10))).toBe(null);
  expect(await problem(later(60))).toBe("late");
  expect(await problem(later(29 * 60))).toBe("failed");
});

it("counts what was booked, and how fast members answer", async () => {
  await answer(reception, "Yes");
  const statistics = await inboxStatistics(ctx(reception!, later(10)), place.id);
  expect(statistics).toMatchObject({ bookedToday: 0, sms: 3, whatsapp: 0, segments: 3, minutes: 4, cost: null });
  expect(costOf({ segments: 5, whatsapp: 2 }, { sms: 0.25 })).toBe(1.25);
  expect(costOf({ segments: 5, whatsapp: 2 }, { sms: 0.25, whatsapp: 0.5 })).toBe(2.25);
});

describe("the text of a member", () => {
  it.each([
    ["Yes, bring her", 1],
    ["Please come ten minutes before your time", 2],
    ["word ".repeat(40), null],
    ["a".repeat(31), null],
  ])("has lines of 30 characters by SMS: %s", (text, lines) => {
    const message = deskMessage("Labbipet Neuro Clinic", text, "sms");
    expect(message && Object.keys(message.variables).length - 1).toBe(lines);
  });
  it.each([
    ["Your sugar is high", true],
    ["జ్వరం తగ్గిందా", true],
    ["Please call us", false],
    ["Come at 5:30 PM with your mother", false],
  ])("names an illness or not: %s", (text, expected) => expect(namesIllness(text)).toBe(expected));
});

describe("keywords", () => {
  const set = (actor: Actor, keyword: string, hospitalId = place.id) =>
    setKeyword(ctx(actor, noon), { hospitalId, practiceId: doctor.id, keyword });
  it("are set by the owner, once for all doctors", async () => {
    await set(place.owner, `NEW${ids}`);
    expect(await listKeywords(ctx(place.owner, noon), place.id)).toMatchObject([{ doctor: "Dr. Venkat Rao", keyword: `NEW${ids}` }]);
    const colleague = await makeDoctor(db, {});
    await db
      .update(practices)
      .set({ keyword: `OWN${ids}` })
      .where(eq(practices.id, colleague.id));
    await expect(set(place.owner, `OWN${ids}`)).rejects.toMatchObject({ code: "invalid", fields: { keyword: expect.any(Array) } });
    await set(place.owner, "");
    expect(await listKeywords(ctx(place.owner, noon), place.id)).toMatchObject([{ keyword: null }]);
  });
  it("are not set by a receptionist or another clinic", async () => {
    await expect(set(reception!, "MINE")).rejects.toMatchObject({ code: "forbidden" });
    const elsewhere = await makePlace(db);
    await expect(set(elsewhere.owner, "MINE", elsewhere.id)).rejects.toMatchObject({ code: "not-found" });
  });
  it("are chosen by a doctor whose practice has no other owner, once for all doctors", async () => {
    const [own, colleague] = [await makeDoctor(db, {}), await makeDoctor(db, {})];
    const choose = (actor: Actor, practiceId: string, keyword: string) => setOwnKeyword(ctx(actor, noon), { practiceId, keyword });
    await choose(own.actor, own.id, `SELF${ids}`);
    expect(await findOwnKeyword(ctx(own.actor, noon), own.id)).toMatchObject({ keyword: `SELF${ids}` });
    await expect(choose(colleague.actor, colleague.id, `SELF${ids}`)).rejects.toMatchObject({
      ...{ code: "invalid", fields: { keyword: expect.any(Array) } },
    });
    await expect(choose(colleague.actor, own.id, "MINE")).rejects.toMatchObject({ code: "not-found" });
    // The owner of the clinic chooses it there.
    await expect(choose(doctor.actor, doctor.id, "MINE")).rejects.toMatchObject({ code: "not-found" });
    await choose(own.actor, own.id, "");
    expect(await findOwnKeyword(ctx(own.actor, noon), own.id)).toMatchObject({ keyword: null });
  });
  it.each([
    ["rao", "RAO"],
    ["", ""],
    ["STOP", null],
    ["Hindi", null],
    ["1RAO", null],
    ["రావు", null],
    ["A".repeat(16), null],
  ])("have a form: %s", (keyword, expected) => {
    const parsed = KeywordSchema.safeParse({ practiceId: "00000000-0000-4000-8000-000000000000", keyword });
    expect(parsed.success ? parsed.data.keyword : null).toBe(expected);
  });
});
