/** Tokens, states and order of a session, also while several users press at once. */
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { appointments, auditLog, domainEvents, liveEvents, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { closeQueue } from "#app/domains/booking/appointments/close-queue.server.ts";
import { getDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { openEncounter } from "#app/domains/visit/encounters/own-visit.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { env } from "#app/runtime/env.server.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import {
  dayFromNow,
  makeDoctor,
  makePatient,
  makeVisit,
  newPhone,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addWalkIn, findKnownPeople } from "./add-walk-in.server.ts";
import { callPatient, changeEntry, setPriority } from "./change-entry.server.ts";
import { changeSession, expectDoctor } from "./change-session.server.ts";
import { issueNumber } from "./issue-number.server.ts";
import { chosenAtFirst, knownValue, refuseChoice } from "./known-person.ts";
import { planDay } from "./plan-day.server.ts";
import { planQueues } from "./plan-queues.server.ts";
import { getNamedQueue, getPlainQueue, listSessions } from "./queries.server.ts";
import { getQueuePage } from "./queue-page.server.ts";
import { sweepQueues } from "./sweep-queues.server.ts";
import { undoCall } from "./undo-call.server.ts";

const { db, sql, ctx } = testDb();
let doctor: TestDoctor;
let reception: Actor & { memberId: string };
let place: { id: string };
let sessionId: string;
let keys = 0;
beforeEach(async () => {
  ({ doctor, reception, place } = await makeClinic(db));
  sessionId = await makeSession(db, doctor.id);
});
const as = (now?: Date) => ctx(reception, now);
const today = dayFromNow(0);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as DomainError).code,
  );
const walkIn = (name: string, over: { phone?: string; formKey?: string; priority?: "emergency"; now?: Date } = {}) =>
  addWalkIn(as(over.now), {
    sessionId,
    name,
    phone: over.phone ?? newPhone(),
    formKey: over.formKey ?? `key-${++keys}`,
    priority: over.priority ?? "normal",
  });
const entryOf = async (id: string) => (await db.select().from(queueEntries).where(eq(queueEntries.id, id)))[0]!;
const stateOf = async (id: string) => (await entryOf(id)).state;
const close = (now?: Date) => closeQueue(as(now), { sessionId, sms: true });
const call = (entryId: string, more: { now?: boolean } = {}) => callPatient(as(), { sessionId, entryId, ...more });
const change = (entryId: string, action: Parameters<typeof changeEntry>[1]["action"]) => changeEntry(as(), { sessionId, entryId, action });
const waitingNumbers = async () => (await getPlainQueue(ctx(), sessionId)).waiting.map(({ number }) => number);

describe("tokens", () => {
  it("are given once each to 32 concurrent clients, and a failed transaction leaves no duplicate", async () => {
    const clients = Array.from({ length: 32 }, () => connect(env().database, { max: 1 }));
    const numbers: number[] = [];
    try {
      await Promise.all(
        clients.map(async (client, i) => {
          for (let n = 0; n < 25; n++) {
            const work = client.db.transaction(async (tx) => {
              const number = await issueNumber({ ...ctx(), db: tx as unknown as typeof db }, sessionId);
              if ((i + n) % 10 === 0) throw new Error("crash");
              return number;
            });
            await work.then((number) => numbers.push(number)).catch(() => {});
          }
        }),
      );
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(numbers).toHaveLength(720);
    expect(new Set(numbers).size).toBe(720);
    const [session] = await db.select().from(queueSessions).where(eq(queueSessions.id, sessionId));
    expect(session!.lastNumber).toBe(Math.max(...numbers));
  });
  it("are given once for one form, also when it is sent twice at once", async () => {
    const phone = newPhone();
    const given = await Promise.all([1, 2, 3].map(() => walkIn("Charan", { phone, formKey: "same" })));
    expect(new Set(given.map(({ number }) => number))).toEqual(new Set([1]));
    expect(await db.$count(queueEntries, eq(queueEntries.sessionId, sessionId))).toBe(1);
  });
  it("of three children on one phone are three, and one child has one", async () => {
    const phone = newPhone();
    const given = await Promise.all(["Charan", "Keerthana", "Sandhya"].map((name) => walkIn(name, { phone })));
    expect(given.map(({ number }) => number).toSorted()).toEqual([1, 2, 3]);
    expect(await failure(walkIn(" charan ", { phone }))).toBe("conflict");
    expect(await failure(walkIn("Charan"))).toBeNull();
  });
  it("are never used again after a patient has left", async () => {
    const first = await walkIn("Charan");
    await change(first.id, "leave");
    expect((await walkIn("Basha")).number).toBe(2);
  });
});

describe("the tokens of booked patients", () => {
  const book = (patient: Person, time: string, name: string) =>
    makeVisit(db, { patient, doctor }, { date: today, time, status: "accepted", name });
  it("are given in the order of time, once, also by concurrent pages", async () => {
    const patient = await makePatient(db);
    await book(patient, "10:30", "Second");
    await book(patient, "09:00", "First");
    await makeVisit(db, { patient, doctor }, { date: today, time: "11:00", status: "pending" });
    await Promise.all([1, 2, 3].map(() => planDay(as(), { practiceId: doctor.id, date: today })));
    const { expected } = await getNamedQueue(ctx(), sessionId);
    expect(expected.map(({ number, name }) => [number, name])).toEqual([
      [1, "First"],
      [2, "Second"],
    ]);
    expect(expected[0]!.dueAt).toEqual(instantInIndia(today, "09:00"));
    expect(await listSessions(ctx(), [doctor.id], today)).toHaveLength(1);
  });
  it("check in a booked patient who is entered as a walk-in, and link a walk-in who has booked", async () => {
    const patient = await makePatient(db);
    const visit = await book(patient, "10:00", "Lakshmi Devi");
    await planDay(as(), { practiceId: doctor.id, date: today });
    const given = await walkIn("lakshmi  devi", { phone: patient.phone });
    expect(given).toMatchObject({ number: 1, arrived: true });
    expect(await stateOf(given.id)).toBe("arrived");
    const other = await makePatient(db);
    const early = await walkIn("Basha", { phone: other.phone });
    const second = await book(other, "10:30", "Basha");
    await planDay(as(), { practiceId: doctor.id, date: today });
    expect((await entryOf(early.id)).appointmentId).toBe(second);
    expect(await db.$count(queueEntries, eq(queueEntries.sessionId, sessionId))).toBe(2);
    expect((await entryOf(given.id)).appointmentId).toBe(visit);
    const third = await makePatient(db);
    await book(third, "11:00", "Saroja");
    await planDay(as(), { practiceId: doctor.id, date: today });
    const urgent = await walkIn("Saroja", { phone: third.phone, priority: "emergency" });
    expect(await entryOf(urgent.id)).toMatchObject({ state: "arrived", priority: "emergency" });
  });
  it("leave the queue when the appointment is cancelled, and are done when the doctor completes it", async () => {
    const patient = await makePatient(db);
    const [first, second] = [await book(patient, "00:00", "First"), await book(patient, "00:01", "Second")];
    await planDay(as(), { practiceId: doctor.id, date: today });
    const { expected } = await getNamedQueue(ctx(), (await listSessions(ctx(), [doctor.id], today))[0]!.id);
    await changeAppointment(ctx(doctor.actor), { id: first, action: "cancel" });
    await changeAppointment(ctx(doctor.actor), { id: second, action: "complete" });
    expect([await stateOf(expected[0]!.id), await stateOf(expected[1]!.id)]).toEqual(["left", "done"]);
  });
  it("of an appointment that is cancelled while the first page of the day loads, are not given or leave", async () => {
    for (let round = 0; round < 8; round++) {
      const patient = await makePatient(db);
      const id = await makeVisit(db, { patient, doctor }, { date: today, time: `1${round}:40`, status: "accepted" });
      await Promise.all([
        planDay(as(), { practiceId: doctor.id, date: today }),
        changeAppointment(ctx(doctor.actor), { id, action: "cancel", reason: "unwell" }),
      ]);
      const states = await db.select({ state: queueEntries.state }).from(queueEntries).where(eq(queueEntries.appointmentId, id));
      expect(states.filter(({ state }) => state !== "left")).toEqual([]);
    }
  });
  it("are given by the hourly job where the queue is used, and nowhere else", async () => {
    const other = await makeDoctor(db);
    await makeSession(db, doctor.id, { date: dayFromNow(-2), state: "closed" });
    const visitOf = async (own: TestDoctor) =>
      makeVisit(db, { patient: await makePatient(db), doctor: own }, { date: today, time: "10:00", status: "accepted" });
    const [here, elsewhere] = [await visitOf(doctor), await visitOf(other)];
    for (let run = 0; run < 2; run++) await planQueues(as());
    const tokens = (visit: string) => db.$count(queueEntries, eq(queueEntries.appointmentId, visit));
    expect([await tokens(here), await tokens(elsewhere)]).toEqual([1, 0]);
  });
  it("are given again when an appointment moves to another time of the day, and a page without news announces none", async () => {
    const patient = await makePatient(db);
    const visit = await book(patient, "10:00", "Lakshmi Devi");
    await planDay(as(), { practiceId: doctor.id, date: today });
    const [first] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
    await db.update(queueEntries).set({ state: "left", leftAt: new Date() }).where(eq(queueEntries.id, first!.id));
    const entries = () => db.$count(queueEntries, eq(queueEntries.appointmentId, visit));
    // The patient left: no other token for the same time.
    await planDay(as(), { practiceId: doctor.id, date: today });
    expect(await entries()).toBe(1);
    await db.update(appointments).set({ time: "11:30" }).where(eq(appointments.id, visit));
    await planDay(as(), { practiceId: doctor.id, date: today });
    expect(await entries()).toBe(2);
    // An appointment of a closed session never gets a token: an endless reason to read again.
    await close();
    await book(patient, "11:45", "Basha");
    const changes = () => db.$count(liveEvents, eq(liveEvents.channel, "nadi_queues"));
    const before = await changes();
    await planDay(as(), { practiceId: doctor.id, date: today });
    expect(await changes()).toBe(before);
  });
});

describe("calling", () => {
  it("calls exactly one patient when two receptionists press at once, and refuses the other", async () => {
    const [first] = [await walkIn("Charan"), await walkIn("Basha")];
    const other = await makeMember(db, place.id, "reception");
    const answers = await Promise.all([failure(call(first.id)), failure(callPatient(ctx(other), { sessionId, entryId: first.id }))]);
    expect(answers.toSorted()).toEqual(["conflict", null]);
    const called = await db
      .select()
      .from(queueEntries)
      .where(and(eq(queueEntries.sessionId, sessionId), eq(queueEntries.state, "called")));
    expect(called.map(({ number }) => number)).toEqual([1]);
  });
  it("refuses the named patient when another one is next, unless called out of turn", async () => {
    const [first, second] = [await walkIn("Charan"), await walkIn("Basha")];
    expect(await failure(call(second.id))).toBe("conflict");
    const emergency = await walkIn("Lingamma", { priority: "emergency" });
    expect(await failure(call(first.id))).toBe("conflict");
    await call(emergency.id);
    await call(second.id, { now: true });
    expect([await stateOf(emergency.id), await stateOf(second.id)]).toEqual(["done", "called"]);
  });
  it("moves a patient through the states with a time for each, and one is with the doctor", async () => {
    const [first, second] = [await walkIn("Charan"), await walkIn("Basha")];
    await call(first.id);
    await change(first.id, "enter");
    expect(await failure(change(second.id, "enter"))).toBe("conflict");
    await call(second.id);
    expect(await entryOf(first.id)).toMatchObject({ state: "done", callNumber: 1 });
    const done = await entryOf(first.id);
    expect([done.arrivedAt, done.calledAt, done.withDoctorAt, done.doneAt].every(Boolean)).toBe(true);
    const events = await db
      .select({ kind: domainEvents.kind })
      .from(domainEvents)
      .where(eq(domainEvents.subjectId, first.id))
      .orderBy(domainEvents.id);
    expect(events.map(({ kind }) => kind.split(".")[1])).toEqual(["add", "call", "enter", "finish"]);
    const [audit] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, sessionId), eq(auditLog.action, "change-queue")))
      .limit(1);
    expect(audit).toMatchObject({ hospitalId: place.id, memberRole: "reception", onBehalfOf: doctor.id });
  });
  it("returns a patient to the queue who was marked as done by mistake, until the appointment is completed", async () => {
    const patient = await makePatient(db);
    const visit = await makeVisit(db, { patient, doctor }, { date: today, time: "10:00", status: "accepted" });
    await planDay(as(), { practiceId: doctor.id, date: today });
    const [booked] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
    const later = await walkIn("Later");
    await change(booked!.id, "arrive");
    await call(booked!.id);
    await change(booked!.id, "enter");
    await change(booked!.id, "finish");
    await change(booked!.id, "undo-finish");
    expect(await entryOf(booked!.id)).toMatchObject({ state: "arrived", doneAt: null, withDoctorAt: null });
    expect(await waitingNumbers()).toEqual([booked!.number, later.number]);
    await call(booked!.id);
    await change(booked!.id, "enter");
    await change(booked!.id, "finish");
    await changeAppointment(ctx(doctor.actor, instantInIndia(today, "10:30")), { id: visit, action: "complete" });
    expect(await failure(change(booked!.id, "undo-finish"))).toBe("conflict");
    expect(await stateOf(booked!.id)).toBe("done");
  });
  it("does not return a patient whose appointment was cancelled meanwhile", async () => {
    const patient = await makePatient(db);
    const visit = await makeVisit(db, { patient, doctor }, { date: today, time: "23:50", status: "accepted" });
    await planDay(as(), { practiceId: doctor.id, date: today });
    const [booked] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
    sessionId = booked!.sessionId;
    await db.update(queueSessions).set({ state: "open", doctorInAt: new Date() }).where(eq(queueSessions.id, sessionId));
    await changeAppointment(ctx(doctor.actor), { id: visit, action: "cancel", reason: "busy" });
    expect(await failure(change(booked!.id, "return"))).toBe("conflict");
    expect(await stateOf(booked!.id)).toBe("left");
  });
  it("never leaves a completed appointment in the queue when done is undone while the doctor completes it", async () => {
    for (let round = 0; round < 6; round++) {
      const patient = await makePatient(db);
      const visit = await makeVisit(db, { patient, doctor }, { date: today, time: `0${round}:10`, status: "accepted" });
      const now = instantInIndia(today, "12:00");
      await planDay(as(), { practiceId: doctor.id, date: today });
      const [booked] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
      const session = booked!.sessionId;
      const own = (action: "arrive" | "finish" | "undo-finish") => changeEntry(as(), { sessionId: session, entryId: booked!.id, action });
      await db.update(queueSessions).set({ state: "open", doctorInAt: now }).where(eq(queueSessions.id, session));
      await own("arrive");
      await callPatient(as(), { sessionId: session, entryId: booked!.id });
      await changeEntry(as(), { sessionId: session, entryId: booked!.id, action: "enter" });
      await own("finish");
      const [undone, completed] = await Promise.all([
        failure(own("undo-finish")),
        failure(changeAppointment(ctx(doctor.actor, now), { id: visit, action: "complete" })),
      ]);
      expect(completed).toBeNull();
      expect([null, "conflict"]).toContain(undone);
      expect(await stateOf(booked!.id)).toBe("done");
    }
  });
  it("takes a call back: the patient before is inside again, and the order as it was", async () => {
    const [first, second, third] = [await walkIn("First"), await walkIn("Second"), await walkIn("Third")];
    const undo = (entryId: string) => undoCall(as(), { sessionId, entryId });
    await call(first.id);
    await change(first.id, "enter");
    const { withDoctorAt } = await entryOf(first.id);
    await call(second.id);
    expect((await getQueuePage(as(), "member", sessionId)).session?.undo).toEqual({ inside: 1 });
    const before = await db.select().from(queueSessions).where(eq(queueSessions.id, sessionId));
    expect(await failure(undo(third.id))).toBe("conflict");
    // Two receptionists press at once.
    expect((await Promise.all([failure(undo(second.id)), failure(undo(second.id))])).toSorted()).toEqual(["conflict", null].toSorted());
    expect(await entryOf(first.id)).toMatchObject({ state: "with-doctor", withDoctorAt, doneAt: null });
    expect(await entryOf(second.id)).toMatchObject({ state: "arrived", callNumber: null, calledAt: null });
    expect(await waitingNumbers()).toEqual([2, 3]);
    const [after] = await db.select().from(queueSessions).where(eq(queueSessions.id, sessionId));
    expect(after!.calls).toBe(before[0]!.calls - 1);
    // Not once the patient is in, and not the call before the last one.
    await call(second.id);
    await change(second.id, "enter");
    expect(await failure(undo(second.id))).toBe("conflict");
    expect((await getQueuePage(as(), "member", sessionId)).session?.undo).toBe(null);
  });
  it("does not take a call back once the visit that it ended is completed", async () => {
    const patient = await makePatient(db);
    const visit = await makeVisit(db, { patient, doctor }, { date: today, time: "00:00", status: "accepted" });
    await planDay(as(), { practiceId: doctor.id, date: today });
    const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
    sessionId = entry!.sessionId;
    await db.update(queueSessions).set({ state: "open", doctorInAt: new Date() }).where(eq(queueSessions.id, sessionId));
    const next = await walkIn("Next");
    await change(entry!.id, "arrive");
    await call(entry!.id, { now: true });
    await call(next.id, { now: true });
    const [undone] = await Promise.all([
      failure(undoCall(as(), { sessionId, entryId: next.id })),
      changeAppointment(ctx(doctor.actor), { id: visit, action: "complete" }),
    ]);
    expect(await stateOf(entry!.id)).toBe("done");
    expect(await stateOf(next.id)).toBe(undone ? "called" : "arrived");
    expect(await failure(undoCall(as(), { sessionId, entryId: next.id }))).toBe("conflict");
    if (undone) expect((await getQueuePage(as(), "member", sessionId)).session?.undo).toBe(null);
  });
  it("takes a call back for some minutes only, and a patient who returned meanwhile waits for two others", async () => {
    const [first, second] = [await walkIn("First"), await walkIn("Second")];
    await call(first.id);
    await change(first.id, "skip");
    await call(second.id);
    await change(first.id, "return");
    const late = as(new Date(Date.now() + minutes(6)));
    expect((await getQueuePage(late, "member", sessionId)).session?.undo).toBe(null);
    expect(await failure(undoCall(late, { sessionId, entryId: second.id }))).toBe("conflict");
    await undoCall(as(), { sessionId, entryId: second.id });
    expect((await entryOf(first.id)).returnedAtCall).toBe(1);
  });
  it("refuses to take a call back when the earlier patient has another token by now", async () => {
    const phone = newPhone();
    const [first, second] = [await walkIn("First", { phone }), await walkIn("Second")];
    await call(first.id);
    await call(second.id);
    await walkIn("First", { phone });
    expect(await failure(undoCall(as(), { sessionId, entryId: second.id }))).toBe("conflict");
    expect(await stateOf(second.id)).toBe("called");
  });
  it("lets the doctor complete the appointment of a patient who was called in before the booked time", async () => {
    const patient = await makePatient(db);
    const visit = await makeVisit(db, { patient, doctor }, { date: today, time: "23:59", status: "accepted" });
    await planDay(as(), { practiceId: doctor.id, date: today });
    const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
    sessionId = entry!.sessionId;
    await db.update(queueSessions).set({ state: "open", doctorInAt: new Date() }).where(eq(queueSessions.id, sessionId));
    const complete = () => changeAppointment(ctx(doctor.actor), { id: visit, action: "complete" });
    await change(entry!.id, "arrive");
    expect(await failure(complete())).toBe("conflict");
    expect((await getDoctorAppointment(ctx(doctor.actor), visit)).actions).not.toContain("complete");
    await call(entry!.id, { now: true });
    expect((await getDoctorAppointment(ctx(doctor.actor), visit)).actions).toContain("complete");
    await complete();
    expect(await stateOf(entry!.id)).toBe("done");
  });
  it("calls a skipped patient after two others", async () => {
    const given = [];
    for (const name of ["A", "B", "C", "D"]) given.push(await walkIn(name));
    await call(given[0]!.id);
    await change(given[0]!.id, "skip");
    await change(given[0]!.id, "return");
    expect(await waitingNumbers()).toEqual([2, 3, 1, 4]);
  });
  it("works only while the session is open", async () => {
    const { id } = await walkIn("Charan");
    await changeSession(as(), { sessionId, action: "pause" });
    expect(await failure(call(id))).toBe("conflict");
    await changeSession(as(), { sessionId, action: "resume" });
    await call(id);
  });
  it("lets an emergency go first, and back", async () => {
    const [, second] = [await walkIn("Charan"), await walkIn("Basha")];
    await setPriority(as(), { sessionId, entryId: second.id, priority: "emergency" });
    expect(await waitingNumbers()).toEqual([2, 1]);
    await setPriority(as(), { sessionId, entryId: second.id, priority: "normal" });
    expect(await waitingNumbers()).toEqual([1, 2]);
  });
});

describe("a session", () => {
  it("opens with Doctor is in, once, and not before its day", async () => {
    const planned = await makeSession(db, doctor.id, { part: "evening", state: "planned" });
    await Promise.all([1, 2].map(() => changeSession(as(), { sessionId: planned, action: "open" })));
    const [row] = await db.select().from(queueSessions).where(eq(queueSessions.id, planned));
    expect(row).toMatchObject({ state: "open", doctorInAt: expect.any(Date) });
    expect(await db.$count(domainEvents, and(eq(domainEvents.subjectId, planned), eq(domainEvents.kind, "queue-session.open")))).toBe(1);
    const tomorrow = await makeSession(db, doctor.id, { date: dayFromNow(1), state: "planned" });
    expect(await failure(changeSession(as(), { sessionId: tomorrow, action: "open" }))).toBe("conflict");
  });
  it("takes the time at which the doctor is expected, once for two presses, and never an earlier one", async () => {
    const planned = await makeSession(db, doctor.id, { part: "evening", state: "planned", startsAt: "18:00", endsAt: "23:00" });
    const expectAt = (at: string, now = "17:00") => expectDoctor(as(instantInIndia(today, now)), { sessionId: planned, at });
    const late = async () => (await db.select().from(queueSessions).where(eq(queueSessions.id, planned)))[0]!.lateMinutes;
    await Promise.all([expectAt("18:40"), expectAt("18:40")]);
    expect(await late()).toBe(40);
    expect(await db.$count(auditLog, and(eq(auditLog.subjectId, planned), eq(auditLog.action, "announce-delay")))).toBe(1);
    // Two receptionists with two times: the later one stays, whichever is first.
    const both = await Promise.allSettled([expectAt("19:05"), expectAt("18:50")]);
    expect(both[0]!.status).toBe("fulfilled");
    expect(await late()).toBe(65);
    for (const at of ["17:30", "18:00", "18:40", "19:04"]) expect(await failure(expectAt(at))).toBe("invalid");
    // Passed, and more than eight hours after the start.
    expect(await failure(expectAt("19:30", "19:31"))).toBe("invalid");
    expect(await failure(expectAt("19:30", "19:30"))).toBe("invalid");
    expect(await failure(expectAt("02:01"))).toBe("invalid");
    expect(await late()).toBe(65);
    // After midnight the session keeps its date.
    await expectAt("00:30", "23:50");
    expect(await late()).toBe(390);
    await changeSession(as(instantInIndia(today, "23:55")), { sessionId: planned, action: "open" });
    expect(await failure(expectAt("01:00", "23:56"))).toBe("conflict");
  });
  it("shows the desk when patients at home were last notified of a late doctor, and of which time", async () => {
    const planned = await makeSession(db, doctor.id, { part: "evening", state: "planned", startsAt: "18:00", endsAt: "23:00" });
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor }, { date: today, time: "18:30", status: "accepted", name: "At Home" });
    await planDay(as(instantInIndia(today, "16:00")), { practiceId: doctor.id, date: today });
    const announced = async (now: string) => (await getQueuePage(as(instantInIndia(today, now)), "member", planned)).session!.announcement;
    expect(await announced("16:30")).toBeNull();
    await expectDoctor(as(instantInIndia(today, "17:00")), { sessionId: planned, at: "18:40" });
    const last = { at: "17:00", expected: "18:40", sms: 1, unreachable: 0 };
    expect(await announced("17:05")).toEqual(last);
    // At night nobody is notified of a later time.
    await expectDoctor(as(instantInIndia(today, "21:30")), { sessionId: planned, at: "22:30" });
    expect(await announced("21:31")).toEqual(last);
    await changeSession(as(instantInIndia(today, "22:20")), { sessionId: planned, action: "open" });
    expect(await announced("22:21")).toBeNull();
  });
  it("closed with patients inside: the visit under way is done, waiting and coming patients were not seen, absent ones missed", async () => {
    const now = instantInIndia(today, "11:00");
    const patient = await makePatient(db);
    const visit = (time: string, name: string) => makeVisit(db, { patient, doctor }, { date: today, time, status: "accepted", name });
    const [missed, coming] = [await visit("10:00", "Absent"), await visit("11:30", "Coming")];
    await planDay(as(now), { practiceId: doctor.id, date: today });
    const inside = await walkIn("Inside", { now });
    const waiting = await walkIn("Waiting", { now });
    await call(inside.id);
    await change(inside.id, "enter");
    await close(now);
    const states = await db
      .select({ number: queueEntries.number, state: queueEntries.state })
      .from(queueEntries)
      .where(eq(queueEntries.sessionId, sessionId))
      .orderBy(queueEntries.number);
    expect(states.map(({ state }) => state)).toEqual(["no-show", "unseen", "done", "unseen"]);
    expect(await stateOf(waiting.id)).toBe("unseen");
    const rows = await db
      .select({ id: appointments.id, status: appointments.status, noShowAt: appointments.noShowAt })
      .from(appointments)
      .where(eq(appointments.patientId, patient.id));
    expect(rows.find(({ id }) => id === missed)).toEqual({ id: missed, status: "accepted", noShowAt: now });
    expect(rows.find(({ id }) => id === coming)).toMatchObject({ status: "cancelled", noShowAt: null });
    expect(await failure(walkIn("Late"))).toBe("conflict");
    const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, missed));
    expect(await failure(change(entry!.id, "undo-miss"))).toBe("forbidden");
    await changeEntry(ctx(doctor.actor), { sessionId, entryId: entry!.id, action: "undo-miss" });
    expect((await db.select().from(appointments).where(eq(appointments.id, missed)))[0]).toMatchObject({
      noShowAt: null,
      status: "accepted",
    });
  });
  it("that never opened has no missed appointment", async () => {
    const date = dayFromNow(-3);
    const old = await makeSession(db, doctor.id, { date, state: "planned" });
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor }, { date, time: "10:00", status: "accepted" });
    await planDay(as(instantInIndia(date, "08:00")), { practiceId: doctor.id, date });
    expect((await sweepQueues(ctx())).closed).toBeGreaterThan(0);
    const rows = await db.select().from(queueEntries).where(eq(queueEntries.sessionId, old));
    expect(rows.map(({ state }) => state)).toEqual(["lapsed"]);
    expect(await db.$count(appointments, and(eq(appointments.patientId, patient.id), eq(appointments.status, "accepted")))).toBe(1);
  });
  it("stays in the list past midnight while it runs", async () => {
    await changeSession(as(), { sessionId, action: "pause" });
    expect((await listSessions(ctx(), [doctor.id], dayFromNow(1))).map(({ id }) => id)).toEqual([sessionId]);
    await close();
    expect(await listSessions(ctx(), [doctor.id], dayFromNow(1))).toEqual([]);
  });
  it("opens again on its day after a mistake", async () => {
    const { id } = await walkIn("Charan");
    await close();
    await changeSession(as(), { sessionId, action: "reopen" });
    await change(id, "return");
    await call(id);
    await close();
    // As at the next call: a called patient has been in.
    expect(await stateOf(id)).toBe("done");
    expect(await failure(changeSession(as(new Date(Date.now() + days(1))), { sessionId, action: "reopen" }))).toBe("conflict");
  });
});

describe("two patients with one name on one phone", () => {
  const phone = "+919000000189";
  const add = (choice?: "same" | "another", more: { sessionId?: string; name?: string; formKey?: string } = {}) =>
    addWalkIn(as(), { sessionId, name: "B/O Lakshmi", phone, formKey: `key-${++keys}`, ...(choice && { choice }), ...more });
  const asked = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error as DomainError).detail,
    );
  it("are two in the queue and in the visits, and one press is one", async () => {
    const first = await add();
    expect(await asked(add())).toEqual({ same: [{ name: "B/O Lakshmi", number: 1 }] });
    expect(await add("same")).toEqual({ ...first, arrived: false, sms: false });
    const formKey = "key-of-the-twin";
    const second = await add("another", { formKey });
    expect(await add("another", { formKey })).toMatchObject({ ...second, sms: false });
    expect(second.number).toBe(2);
    expect(await asked(add())).toEqual({
      same: [
        { name: "B/O Lakshmi", number: 1 },
        { name: "B/O Lakshmi 2", number: 2 },
      ],
    });
    const both = (await getNamedQueue(ctx(), sessionId)).waiting;
    expect(both.map(({ number, name }) => [number, name])).toEqual([
      [1, "B/O Lakshmi"],
      [2, "B/O Lakshmi 2"],
    ]);
    // Each has a visit of their own.
    const people = [];
    for (const { id } of both) {
      await call(id, { now: true });
      await changeEntry(as(), { sessionId, entryId: id, action: "enter" });
      people.push((await openEncounter(ctx(doctor.actor), id)).personKey);
    }
    expect(new Set(people).size).toBe(2);
  });
  it("are asked about on another day, when only the second one comes", async () => {
    await add();
    const { id } = await add("another");
    await call(id, { now: true });
    await changeEntry(as(), { sessionId, entryId: id, action: "enter" });
    const seen = await openEncounter(ctx(doctor.actor), id);
    await sql`delete from queue_entries where session_id = ${sessionId} and id <> ${id}`;
    const later = { sessionId: await makeSession(db, doctor.id, { part: "evening" }) };
    expect(await asked(add(undefined, later))).toEqual({
      same: [
        { name: "B/O Lakshmi", number: null },
        { name: "B/O Lakshmi 2", number: null },
      ],
    });
    const again = await add("same", { ...later, name: "B/O Lakshmi 2" });
    await sql`update queue_entries set state = 'done' where id = ${id}`;
    await sql`update queue_entries set state = 'with-doctor' where id = ${again.id}`;
    expect((await openEncounter(ctx(doctor.actor), again.id)).personKey).toBe(seen.personKey);
  });
  it("have names of one letter", async () => {
    expect((await add(undefined, { name: "R" })).number).toBe(1);
    expect((await add("another", { name: "R" })).number).toBe(2);
  });
});

describe("names and phones", () => {
  it("are encrypted, and erased 30 days after the session", async () => {
    const { id } = await walkIn("Secretia Namedova", { phone: "+919000000188" });
    const [raw] = await sql<{ text: string }[]>`select row_to_json(e)::text as text from queue_entries e where id = ${id}`;
    expect(raw!.text).not.toMatch(/Secretia|9000000188/);
    expect((await getNamedQueue(ctx(), sessionId)).waiting[0]).toMatchObject({ name: "Secretia Namedova", phone: "+919000000188" });
    await sweepQueues(ctx(null, new Date(Date.now() + days(30))));
    expect((await entryOf(id)).personKey).not.toBeNull();
    await sweepQueues(ctx(null, new Date(Date.now() + days(31) + hours(1))));
    expect(await entryOf(id)).toMatchObject({ personKey: null, age: null, birthDate: null });
    const queue = await getNamedQueue(ctx(), sessionId);
    expect(queue.over.map(({ name, phone, number }) => [number, name, phone])).toEqual([[1, "", ""]]);
  });
  it("are those of the chosen patient: nobody is chosen by a name alone, and no typed phone is replaced", () => {
    const [lakshmi, other] = [
      { name: "Lakshmi", age: 46, birthDate: null, gender: "female" as const, phone: "+919000000121" },
      { name: "Lakshmi", age: null, birthDate: null, gender: null, phone: null },
    ];
    const { phone: _, ...ofPhone } = lakshmi;
    expect([[lakshmi], [other], [ofPhone, ofPhone], [], [ofPhone]].map(chosenAtFirst)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      "Lakshmi|46|female",
    ]);
    const form = (fields: Record<string, string>, shown = [lakshmi, other]) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.set(name, value);
      for (const person of shown) data.append("shown", knownValue(person));
      return data;
    };
    const who = knownValue(lakshmi);
    expect(refuseChoice(form({ phone: "", name: "Lakshmi" }))).toMatchObject({
      fields: { who: ["Choose who the visit is for."] },
      detail: { people: [lakshmi, { name: "Lakshmi", age: null, birthDate: null, gender: null }] },
    });
    expect(refuseChoice(form({ who, phone: "90000 00199" }))?.fields).toHaveProperty("phone");
    expect(refuseChoice(form({ who, phone: "90000 00199" }, []))?.detail).toEqual({ people: [lakshmi] });
    for (const allowed of [
      form({ who, phone: "" }),
      form({ who, phone: "90000 00121" }),
      form({ who: "another", phone: "90000 00199" }),
      form({ who: "Sita|40|female", phone: "90000 00199" }),
      form({ phone: "90000 00199" }, []),
    ])
      expect(refuseChoice(allowed)).toBeUndefined();
  });
  it("of a phone are offered only from this doctor's patients", async () => {
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor }, { name: "Own Patient" });
    await makeVisit(db, { patient, doctor: await makeDoctor(db) }, { name: "Of Another" });
    expect(await findKnownPeople(as(), { sessionId, phone: patient.phone })).toEqual([
      { name: "Own Patient", age: 40, birthDate: null, gender: "female" },
    ]);
  });
});

describe("access", () => {
  it("is refused to members of another place, ended members, billing, other doctors and patients", async () => {
    const { id: entryId } = await walkIn("Charan");
    const elsewhere = await makeClinic(db);
    const refused: [Actor, string][] = [
      [elsewhere.reception, "not-found"],
      [elsewhere.doctor.actor, "not-found"],
      [await makeMember(db, place.id, "reception", { state: "ended" }), "not-found"],
      [await makeMember(db, place.id, "billing"), "not-found"],
      [await makeMember(db, place.id, "reception", { doctorIds: [elsewhere.doctor.id] }), "not-found"],
      [(await makePatient(db)).actor, "not-found"],
    ];
    for (const [actor, code] of refused) {
      const who = ctx(actor);
      const works = [
        changeSession(who, { sessionId, action: "pause" }),
        expectDoctor(who, { sessionId, at: "18:40" }),
        closeQueue(who, { sessionId, sms: true }),
        callPatient(who, { sessionId, entryId }),
        changeEntry(who, { sessionId, entryId, action: "leave" }),
        setPriority(who, { sessionId, entryId, priority: "emergency" }),
        addWalkIn(who, { sessionId, name: "Basha", phone: newPhone(), formKey: `key-${++keys}` }),
        findKnownPeople(who, { sessionId, phone: newPhone() }),
      ];
      expect(await Promise.all(works.map(failure))).toEqual(works.map(() => code));
    }
    expect(await stateOf(entryId)).toBe("arrived");
    expect(await db.$count(queueEntries, eq(queueEntries.sessionId, sessionId))).toBe(1);
    await callPatient(ctx(doctor.actor), { sessionId, entryId });
  });
  it("is refused for an entry of another session", async () => {
    const other = await makeSession(db, doctor.id, { part: "evening" });
    const { id } = await walkIn("Charan");
    expect(await failure(callPatient(as(), { sessionId: other, entryId: id }))).toBe("not-found");
    expect(await failure(changeEntry(as(), { sessionId: other, entryId: id, action: "leave" }))).toBe("not-found");
  });
});
