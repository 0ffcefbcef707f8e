/** Closing a queue with patients whose turn did not come: their state, their appointment and money, and one SMS to each. */
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { appointments, notifications, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { sendQueueSms } from "#app/domains/waiting-room/messages/send-queue-sms.server.ts";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { callPatient, changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { changeSession } from "#app/domains/waiting-room/queue/change-session.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { getQueueSession } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { setTokenSms } from "#app/domains/waiting-room/token-page/press-token.server.ts";
import { msg91 } from "#app/integrations/sms/msg91.server.ts";
import { formatDate, instantInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { httpStub } from "../../../../tests/mocks/http-stub.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { closeQueue } from "./close-queue.server.ts";

const { db, sql, ctx } = testDb();
const today = dayFromNow(0);
const NOON = instantInIndia(today, "12:00");
let doctor: TestDoctor;
let reception: Actor;
let second: Actor;
let sessionId: string;
let keys = 0;
beforeEach(async () => {
  await sql`delete from pgboss.job where name = 'queue-sms'`;
  const clinic = await makeClinic(db);
  ({ doctor, reception } = clinic);
  second = await makeMember(db, clinic.place.id, "reception");
  sessionId = await makeSession(db, doctor.id);
});
const as = (who = reception, now = NOON) => ctx(who, now);
type Job = { entryId: string; kind: "closed" };
const jobs = async (): Promise<Job[]> =>
  (
    await sql<{ data: Job }[]>`select data from pgboss.job where name = 'queue-sms' and data ->> 'kind' = 'closed' order by created_on, id`
  ).map(({ data }) => data);
const walkIn = (phone = newPhone()) =>
  addWalkIn(as(), { sessionId, name: "Venkata Ramana", phone, formKey: `key-${++keys}`, priority: "normal" });
const book = async (patient: Person, time: string, status: "accepted" | "pending" = "accepted") => {
  const id = await makeVisit(db, { patient, doctor }, { date: today, time, status, name: `Of ${time}` });
  await planDay(as(), { practiceId: doctor.id, date: today });
  const [entry] = await db.select({ id: queueEntries.id }).from(queueEntries).where(eq(queueEntries.appointmentId, id));
  return { id, entryId: entry?.id ?? "" };
};
const arrive = (entryId: string) => changeEntry(as(), { sessionId, entryId, action: "arrive" });
const stateOf = async (id: string) => (await db.select().from(queueEntries).where(eq(queueEntries.id, id)))[0]!.state;
const visitOf = async (id: string) => (await db.select().from(appointments).where(eq(appointments.id, id)))[0]!;
const kindsOf = async (patient: Person) =>
  (await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, patient.id))).map(({ kind }) => kind);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as DomainError).code,
  );

/** Runs the queued jobs against a server of MSG91's format. Returns what it received. */
async function deliver(now = NOON) {
  await using stub = await httpStub(() => ({ body: '{"message":"1","type":"success"}' }));
  const sms = msg91({ authKey: "k", baseUrl: stub.url, templateIds: {} });
  const sending: Ctx = ctx(null, now);
  for (const job of await jobs()) await sendQueueSms({ ...sending, integrations: { ...sending.integrations, sms } }, job);
  return stub.seen.map(({ body }) => JSON.parse(String(body)) as { template_id: string; recipients: Record<string, string>[] });
}

describe("closing a queue before the turn of patients", () => {
  it("cancels the appointment of a patient who waits by the clinic, owes the refund, and says why once", async () => {
    const patient = await makePatient(db);
    const { id, entryId } = await book(patient, "11:30");
    await arrive(entryId);
    expect(await closeQueue(as(), { sessionId, sms: true })).toEqual({ sms: 1 });
    expect(await stateOf(entryId)).toBe("unseen");
    expect(await visitOf(id)).toMatchObject({
      status: "cancelled",
      cancelledBy: "doctor",
      cancelReason: "closed-early",
      refundOwed: true,
      noShowAt: null,
    });
    expect(await kindsOf(patient)).toEqual(["appointment-queue-closed"]);
    const sent = await deliver(instantInIndia(today, "22:30"));
    expect(sent).toMatchObject([
      { template_id: "nadi-closed", recipients: [{ mobiles: patient.phone.slice(1), date: formatDate(today), time: "11:30 AM" }] },
    ]);
    expect(sent[0]!.recipients[0]).toMatchObject({ doctor: expect.stringMatching(/^Dr/), code: expect.stringMatching(/^[\w-]{20}$/) });
  });

  it("ends each patient truthfully: seen, called, skipped, waiting, coming, absent", async () => {
    const [absent, coming] = [await book(await makePatient(db), "11:00"), await book(await makePatient(db), "12:30")];
    const [called, skipped, waiting] = [await walkIn(), await walkIn(), await walkIn()];
    await callPatient(as(), { sessionId, entryId: skipped.id, now: true });
    await changeEntry(as(), { sessionId, entryId: skipped.id, action: "skip" });
    await callPatient(as(), { sessionId, entryId: called.id, now: true });
    const page = await getQueueSession(as(), sessionId);
    expect(page.unseen.map(({ id, isHere, reach }) => [id, isHere, reach])).toEqual([
      [coming.entryId, false, "sms"],
      [skipped.id, true, "sms"],
      [waiting.id, true, "sms"],
    ]);
    expect([page.inside.map(({ id }) => id), page.missed.map(({ id }) => id)]).toEqual([[called.id], [absent.entryId]]);
    await closeQueue(as(), { sessionId, sms: true, unseen: page.unseen.map(({ number }) => number) });
    const states = await Promise.all([absent.entryId, coming.entryId, called.id, skipped.id, waiting.id].map(stateOf));
    expect(states).toEqual(["no-show", "unseen", "done", "unseen", "unseen"]);
    expect([(await visitOf(absent.id)).status, (await visitOf(coming.id)).status]).toEqual(["accepted", "cancelled"]);
    expect((await jobs()).map(({ entryId }) => entryId).sort()).toEqual([coming.entryId, skipped.id, waiting.id].sort());
  });

  it("sends each SMS once when two receptionists close at once, and while one presses Next", async () => {
    const waiting = [await walkIn(), await walkIn(), await walkIn()];
    const results = await Promise.allSettled([
      closeQueue(as(), { sessionId, sms: true }),
      closeQueue(as(second), { sessionId, sms: true }),
      callPatient(as(second), { sessionId, entryId: waiting[0]!.id }),
    ]);
    expect(results.slice(0, 2).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const states = await Promise.all(waiting.map(({ id }) => stateOf(id)));
    expect(["unseen", "done"]).toContain(states[0]);
    expect(states.slice(1)).toEqual(["unseen", "unseen"]);
    const sent = (await jobs()).map(({ entryId }) => entryId);
    expect(sent.toSorted()).toEqual(
      waiting
        .filter((_, i) => states[i] === "unseen")
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it("is refused when a patient came meanwhile, who was not on the page", async () => {
    const first = await walkIn();
    const seen = (await getQueueSession(as(), sessionId)).unseen.map(({ number }) => number);
    await walkIn();
    expect(await failure(closeQueue(as(), { sessionId, sms: true, unseen: seen }))).toBe("conflict");
    expect(await stateOf(first.id)).toBe("arrived");
    expect(await jobs()).toEqual([]);
  });

  it("sends no SMS without the tick, nor to patients without a phone or who stopped them, and none to one who came back", async () => {
    const [stopped, back] = [await walkIn(), await walkIn()];
    await setTokenSms(as(), { code: stopped.code, stopped: true });
    const erased = await db.transaction((tx) =>
      addEntry(
        { ...as(), db: tx as unknown as typeof db },
        {
          session: { id: sessionId, doctorId: doctor.id },
          kind: "walk-in",
          state: "arrived",
          name: "No Phone",
          phone: "" as never,
          dueAt: NOON,
        },
      ),
    );
    expect((await getQueueSession(as(), sessionId)).unseen.map(({ reach }) => reach)).toEqual(["stopped", "sms", "no-phone"]);
    expect(await closeQueue(as(), { sessionId, sms: false })).toEqual({ sms: 0 });
    expect(await jobs()).toEqual([]);
    await changeSession(as(), { sessionId, action: "reopen" });
    for (const { id } of [stopped, back, erased]) await changeEntry(as(), { sessionId, entryId: id, action: "return" });
    expect(await closeQueue(as(), { sessionId, sms: true })).toEqual({ sms: 1 });
    await changeSession(as(), { sessionId, action: "reopen" });
    await changeEntry(as(), { sessionId, entryId: back.id, action: "return" });
    expect(await deliver()).toEqual([]);
  });

  it("of a session that never opened says that they were not seen, also to patients who had not come", async () => {
    await db.update(queueSessions).set({ state: "planned", doctorInAt: null }).where(eq(queueSessions.id, sessionId));
    const { id, entryId } = await book(await makePatient(db), "11:00");
    await closeQueue(as(), { sessionId, sms: true });
    expect(await stateOf(entryId)).toBe("unseen");
    expect(await visitOf(id)).toMatchObject({ status: "cancelled", refundOwed: true });
    expect(await db.$count(appointments, and(eq(appointments.doctorId, doctor.id), eq(appointments.status, "accepted")))).toBe(0);
  });
});
