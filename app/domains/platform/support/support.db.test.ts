/** Commands of support, also when two users act at once. */
import { describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { answerThread, assignThread, closeAsAdmin } from "./answer-thread.server.ts";
import { closeOwnThread } from "./close-thread.server.ts";
import { listInbox, openThread } from "./inbox.server.ts";
import { getOwnThread, listAppointmentsToName, listOwnThreads } from "./queries.server.ts";
import { askSupport, replyToSupport } from "./write-to-support.server.ts";

const { db, sql, ctx } = testDb();
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const NOW = new Date("2026-11-25T06:00:00Z");
/** The context of an actor, `minutes` after the start. */
const at = (actor: Actor, minutes = 0) => ({ ...ctx(actor), now: new Date(NOW.getTime() + minutes * 60_000) });

const ask = (actor: Actor, minutes = 0, over: { message?: string; key?: string; appointment?: string } = {}) =>
  askSupport(at(actor, minutes), { topic: "payment", message: "Where is my refund?", key: randomToken(), ...over });
const stateOf = async (id: string) => (await sql<{ state: string }[]>`select state from support_threads where id = ${id}`)[0]!.state;
const messagesOf = async (id: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from support_messages where thread_id = ${id}`)[0]!.n;
const answer = async (admin: Actor, id: string, minutes: number, over: { seen?: string; key?: string; close?: boolean } = {}) => {
  const { seen } = await openThread(at(admin, minutes), id, 1);
  await answerThread(at(admin, minutes), { id, message: "We have sent it.", key: randomToken(), seen, close: false, ...over });
};
const noticesOf = async (userId: string) =>
  (
    await sql<
      { kind: string; target_path: string }[]
    >`select kind, target_path from notifications where user_id = ${userId} order by created_at`
  ).map(({ kind, target_path }) => `${kind} ${target_path}`);

describe("a question", () => {
  it("is answered, reopened by a message, answered again and closed, and each side is notified", async () => {
    const [patient, admin] = [(await makePatient(db)).actor, await makeStaff(db, "admin")];
    const id = await ask(patient);
    expect(await stateOf(id)).toBe("open");
    await answer(admin, id, 1, { close: true });
    expect(await stateOf(id)).toBe("closed");
    await replyToSupport(at(patient, 2), { id, message: "It has not arrived.", key: randomToken() });
    expect(await stateOf(id)).toBe("open");
    await answer(admin, id, 3);
    expect(await stateOf(id)).toBe("answered");
    await closeOwnThread(at(patient, 4), id);
    await closeOwnThread(at(patient, 5), id);
    expect(await stateOf(id)).toBe("closed");
    const answered = `support-answered /patient/support/${id}`;
    expect(await noticesOf(patient.userId)).toEqual([answered, answered]);
    // The administrator who answered first is assigned.
    expect(await noticesOf(admin.userId)).toEqual([`support-replied /admin/support/${id}`]);
    const { messages } = await getOwnThread(at(patient, 6), id, 1);
    expect(messages.map(({ bySupport, content, author }) => [bySupport, content, author])).toEqual([
      [false, "Where is my refund?", null],
      [true, "We have sent it.", null],
      [false, "It has not arrived.", null],
      [true, "We have sent it.", null],
    ]);
    const logged = await sql<{ action: string }[]>`
      select action from audit_log where subject_id = ${id} and action <> 'read-support' order by id`;
    expect(logged.map((row) => row.action)).toEqual([
      ...["ask-support", "answer-support", "close-support", "reopen-support", "answer-support", "close-support"],
    ]);
  });
  it("is stored encrypted", async () => {
    const id = await ask((await makePatient(db)).actor, 0, { message: "My psoriasis is not listed." });
    const [row] = await sql<{ content: string }[]>`select content from support_messages where thread_id = ${id}`;
    expect(row!.content).toMatch(/^v1\./);
  });
  it("is sent once when the button is pressed twice, also at once", async () => {
    const patient = (await makePatient(db)).actor;
    const key = randomToken();
    const ids = await Promise.all([1, 2, 3].map(() => ask(patient, 0, { key })));
    expect(new Set(ids).size).toBe(1);
    expect(await ask(patient, 1, { key })).toBe(ids[0]);
    expect(await listOwnThreads(at(patient), 1)).toMatchObject({ total: 1 });
    expect(await messagesOf(ids[0]!)).toBe(1);
    const reply = { id: ids[0]!, message: "Hello?", key: randomToken() };
    await Promise.all([1, 2, 3].map(() => replyToSupport(at(patient, 2), reply)));
    await replyToSupport(at(patient, 3), reply);
    expect(await messagesOf(ids[0]!)).toBe(2);
  });
  it("names an appointment of the user only", async () => {
    const [patient, other, doctor] = [await makePatient(db), await makePatient(db), await makeDoctor(db)];
    const visit = await makeVisit(db, { patient, doctor }, { date: dayFromNow(2, NOW) });
    for (const actor of [patient.actor, doctor.actor]) {
      expect(await listAppointmentsToName(at(actor))).toMatchObject([{ id: visit }]);
      const { visit: named } = await getOwnThread(at(actor), await ask(actor, 0, { appointment: visit }), 1);
      expect(named).toMatchObject({ id: visit });
    }
    expect(await listAppointmentsToName(at(other.actor))).toEqual([]);
    for (const appointment of [visit, UNKNOWN, "nonsense"])
      if (appointment !== visit) await expect(ask(patient.actor, 0, { appointment })).rejects.toMatchObject({ code: "invalid" });
    await expect(ask(other.actor, 0, { appointment: visit })).rejects.toMatchObject({ code: "invalid" });
  });
  it("is limited to a few a day, and a repeated form is not counted", async () => {
    const patient = (await makePatient(db)).actor;
    const key = randomToken();
    for (let i = 1; i < LIMITS["support-question"].max; i++) await ask(patient, i);
    const last = await ask(patient, 10, { key });
    await expect(ask(patient, 11)).rejects.toMatchObject({ code: "too-many" });
    expect(await ask(patient, 12, { key })).toBe(last);
  });
  it("belongs to its user: others do not find it", async () => {
    const [patient, other, doctor] = [(await makePatient(db)).actor, (await makePatient(db)).actor, (await makeDoctor(db)).actor];
    const id = await ask(patient);
    for (const actor of [other, doctor]) {
      for (const run of [
        () => getOwnThread(at(actor), id, 1),
        () => replyToSupport(at(actor), { id, message: "x", key: randomToken() }),
        () => closeOwnThread(at(actor), id),
      ])
        await expect(run()).rejects.toMatchObject({ code: "not-found" });
      for (const run of [
        () => openThread(at(actor), id, 1),
        () => listInbox(at(actor), { search: "", state: null, mine: false, page: 1 }),
        () => answerThread(at(actor), { id, message: "x", key: randomToken(), seen: "", close: false }),
        () => closeAsAdmin(at(actor), { id, seen: "" }),
        () => assignThread(at(actor), { id, to: "me", from: "" }),
      ])
        await expect(run()).rejects.toMatchObject({ code: "forbidden" });
    }
    const admin = await makeStaff(db, "admin");
    await expect(ask(admin)).rejects.toMatchObject({ code: "forbidden" });
    await expect(replyToSupport(at(admin), { id, message: "x", key: randomToken() })).rejects.toMatchObject({ code: "forbidden" });
    for (const unknown of [UNKNOWN, "nonsense"])
      await expect(openThread(at(admin), unknown, 1)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("two administrators at once", () => {
  it("one answer is sent, the other is refused", async () => {
    const [patient, a, b] = [(await makePatient(db)).actor, await makeStaff(db, "admin"), await makeStaff(db, "admin")];
    const id = await ask(patient);
    const { seen } = await openThread(at(a, 1), id, 1);
    const results = await Promise.allSettled([a, b].map((admin) => answer(admin, id, 2, { seen })));
    expect(results.map((r) => r.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find((r) => r.status === "rejected")?.reason).toMatchObject({ code: "conflict" });
    expect([await messagesOf(id), (await noticesOf(patient.userId)).length]).toEqual([2, 1]);
  });
  it("an answer is refused when the user has written meanwhile, and sent once when it is pressed twice", async () => {
    const [patient, admin] = [(await makePatient(db)).actor, await makeStaff(db, "admin")];
    const id = await ask(patient);
    const { seen } = await openThread(at(admin, 1), id, 1);
    await replyToSupport(at(patient, 2), { id, message: "It has arrived.", key: randomToken() });
    await expect(answer(admin, id, 3, { seen })).rejects.toMatchObject({ code: "conflict" });
    await expect(closeAsAdmin(at(admin, 3), { id, seen })).rejects.toMatchObject({ code: "conflict" });
    const form = { key: randomToken(), seen: (await openThread(at(admin, 4), id, 1)).seen };
    await answer(admin, id, 5, form);
    await answer(admin, id, 6, form);
    expect(await messagesOf(id)).toBe(3);
  });
  it("one is assigned, and the other takes over from a page that shows it", async () => {
    const [patient, a, b] = [(await makePatient(db)).actor, await makeStaff(db, "admin"), await makeStaff(db, "admin")];
    const id = await ask(patient);
    const results = await Promise.allSettled([a, b].map((admin) => assignThread(at(admin), { id, to: "me", from: "" })));
    expect(results.map((r) => r.status).sort()).toEqual(["fulfilled", "rejected"]);
    const { thread } = await openThread(at(a), id, 1);
    const other = [a, b].find((admin) => admin.userId !== thread.assigneeId)!;
    await assignThread(at(other), { id, to: "me", from: thread.assigneeId! });
    expect((await openThread(at(a), id, 1)).thread.assigneeId).toBe(other.userId);
    await assignThread(at(other), { id, to: null, from: other.userId });
    await assignThread(at(other), { id, to: null, from: other.userId });
    expect((await openThread(at(a), id, 1)).thread.assigneeId).toBeNull();
  });
});

it("lists the inbox with open threads first, those that wait longest before others, and finds them by reference, name and phone", async () => {
  const admin = await makeStaff(db, "admin");
  await sql`delete from support_threads`;
  const [first, second] = [await makePatient(db, { name: "Zenobia Long Waiting" }), await makePatient(db, { name: "Second One" })];
  const doctor = await makeDoctor(db, { name: "Dr. Inbox Writer" });
  const [later, sooner, byDoctor] = [await ask(second.actor, 20), await ask(first.actor, 10), await ask(doctor.actor, 5)];
  await answer(admin, byDoctor, 30);
  // A further message keeps its place.
  await replyToSupport(at(first.actor, 40), { id: sooner, message: "Hello?", key: randomToken() });
  const list = (over: Partial<Parameters<typeof listInbox>[1]> = {}) =>
    listInbox(at(admin, 50), { search: "", state: null, mine: false, page: 1, ...over });
  expect((await list()).rows.map((row) => row.id)).toEqual([sooner, later, byDoctor]);
  expect(await list({ state: "open" })).toMatchObject({ total: 2, counts: { open: 2, answered: 1, closed: 0 } });
  expect((await list({ mine: true })).rows.map((row) => row.id)).toEqual([byDoctor]);
  const { rows } = await list();
  for (const search of ["zenobia", rows[0]!.reference.toLowerCase(), first.phone.slice(-10)])
    expect(
      (await list({ search })).rows.map((row) => row.id),
      search,
    ).toEqual([sooner]);
  expect((await list({ search: "inbox writer" })).rows.map((row) => row.id)).toEqual([byDoctor]);
  expect(await list({ search: "no such name" })).toMatchObject({ rows: [], total: 0 });
  await closeAsAdmin(at(admin, 60), { id: later, seen: (await openThread(at(admin, 60), later, 1)).seen });
  expect(await noticesOf(second.id)).toEqual([`support-closed /patient/support/${later}`]);
});

it("logs each administrator who reads a thread, for its user", async () => {
  const [patient, admin] = [(await makePatient(db)).actor, await makeStaff(db, "admin")];
  const id = await ask(patient);
  await openThread(at(admin), id, 1);
  const logged = await sql`select actor_id, person_id from audit_log where action = 'read-support' and subject_id = ${id}`;
  expect(logged).toEqual([{ actor_id: admin.userId, person_id: patient.userId }]);
});

it("shows the newest messages first page by page, each page in order", async () => {
  const patient = (await makePatient(db)).actor;
  const id = await ask(patient, 0, { message: "message 0" });
  // Ten minutes apart, because of the limit of an hour.
  for (let i = 1; i <= 55; i++) await replyToSupport(at(patient, i * 10), { id, message: `message ${i}`, key: randomToken() });
  const page = async (n: number) => (await getOwnThread(at(patient, 9999), id, n)).messages.map(({ content }) => Number(content.slice(8)));
  expect(await page(1)).toEqual(Array.from({ length: 50 }, (_, i) => i + 6));
  expect(await page(2)).toEqual([0, 1, 2, 3, 4, 5]);
});
