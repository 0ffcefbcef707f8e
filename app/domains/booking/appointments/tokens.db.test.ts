/** Bookings of a session: numbers, seats, and every change of them, also when many press at once. */
import { and, asc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { appointments, availabilitySlots, practices, queueEntries, queueSessions, slotClaims } from "#app/db/schema/index.ts";
import { enterLeave } from "#app/domains/clinic/practices/leave.server.ts";
import { openDays } from "#app/domains/clinic/practices/open-days.server.ts";
import { setHours } from "#app/domains/clinic/practices/set-hours.server.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { changeSession } from "#app/domains/waiting-room/queue/change-session.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { getPlainQueue } from "#app/domains/waiting-room/queue/queries.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import {
  dayFromNow,
  addSlots as giveSlots,
  makeDoctor,
  makePatient,
  makeVisit,
  newPhone,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { giveTokens, makeTokenDoctor } from "../../../../tests/factories/tokens.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addSlots } from "../availability/change-slots.server.ts";
import { listDaySlots, listMonthLoad } from "../availability/queries.server.ts";
import { bookAppointment } from "./book-appointment.server.ts";
import { bookForCaller } from "./book-for-caller.server.ts";
import { changeAppointment, rescheduleAppointment } from "./change-appointment.server.ts";
import { closeQueue } from "./close-queue.server.ts";
import { findProposal, moveAppointment, proposeTimes, takeProposal } from "./proposals.server.ts";

const { db, ctx } = testDb();
const date = dayFromNow(6);
const later = dayFromNow(7);
const time = "17:00";
let doctor: TestDoctor;
beforeAll(async () => {
  doctor = await makeTokenDoctor(ctx(null));
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DomainError,
  );
const book = (patient: Person, of: { id: string } = doctor, over: Partial<ReturnType<typeof wishFor>> = {}) =>
  bookAppointment(ctx(patient.actor), { ...wishFor(of.id, { date, time }), ...over });
const visitOf = async (id: string) => (await db.select().from(appointments).where(eq(appointments.id, id)))[0]!;
const entriesOf = (appointmentId: string) =>
  db.select().from(queueEntries).where(eq(queueEntries.appointmentId, appointmentId)).orderBy(asc(queueEntries.createdAt));
const sessionsOf = (doctorId: string) => db.select().from(queueSessions).where(eq(queueSessions.doctorId, doctorId));

describe("a booking", () => {
  it("stores the start of the session as time, the number as token and an expected time, and takes no claim", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const [first, second] = [await makePatient(db), await makePatient(db)];
    await book(first, other);
    const { id } = await book(second, other);
    const visit = await visitOf(id);
    expect(visit).toMatchObject({ date, time: "17:00:00", minutes: 180, token: 2, expectedTime: "17:05:00", status: "pending" });
    expect(await db.select().from(slotClaims).where(eq(slotClaims.doctorId, other.id))).toEqual([]);
    expect(await sessionsOf(other.id)).toMatchObject([
      { id: visit.queueSessionId, state: "planned", part: "evening", startsAt: "17:00:00", endsAt: "20:00:00", seats: 30, lastNumber: 2 },
    ]);
    expect(await entriesOf(id)).toMatchObject([{ number: 2, kind: "booked", state: "expected", patientId: second.id }]);
  });

  it("gives out as many tokens as the session has seats, when 30 press for the last 3", async () => {
    const other = await makeTokenDoctor(ctx(null), { seats: 5 });
    for (const _ of [1, 2]) await book(await makePatient(db), other);
    const patients = await Promise.all(Array.from({ length: 30 }, () => makePatient(db)));
    const results = await Promise.all(patients.map((patient) => failure(book(patient, other))));
    expect(results.filter((error) => error === null)).toHaveLength(3);
    expect(new Set(results.filter(Boolean).map((error) => error!.code))).toEqual(new Set(["slot-taken"]));
    const booked = await db
      .select({ token: appointments.token })
      .from(appointments)
      .where(eq(appointments.doctorId, other.id))
      .orderBy(asc(appointments.token));
    expect(booked.map(({ token }) => token)).toEqual([1, 2, 3, 4, 5]);
    expect(await listDaySlots(ctx(null), other.id, date)).toMatchObject([{ time, state: "booked", session: { left: 0, next: 6 } }]);
    expect((await listMonthLoad(ctx(null), other.id, date.slice(0, 7))).find((day) => day.date === date)).toMatchObject({
      free: 0,
      total: 1,
    });
  });

  it("is made once by presses of one patient, also on the last seat", async () => {
    const other = await makeTokenDoctor(ctx(null), { seats: 1 });
    const patient = await makePatient(db);
    const wish = wishFor(other.id, { date, time });
    const ids = await Promise.all([1, 2, 3].map(() => bookAppointment(ctx(patient.actor), wish)));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    expect(await sessionsOf(other.id)).toMatchObject([{ lastNumber: 1 }]);
    expect((await book(patient, other, { phone: wish.phone })).id).toBe(ids[0]!.id);
  });

  it("gives two children of one phone two tokens, and one child of two accounts one", async () => {
    const parent = await makePatient(db);
    const phone = newPhone();
    const [anu, balu] = [await book(parent, doctor, { name: "Anu", phone }), await book(parent, doctor, { name: "Balu", phone })];
    expect((await visitOf(balu.id)).token).toBe((await visitOf(anu.id)).token! + 1);
    expect(await failure(book(await makePatient(db), doctor, { name: "anu", phone }))).toMatchObject({ code: "conflict" });
  });

  it("keeps the number of a patient who took a token at the desk before", async () => {
    const other = await makeTokenDoctor(ctx(null));
    await book(await makePatient(db), other);
    const [session] = await sessionsOf(other.id);
    const phone = newPhone();
    const walkIn = await addWalkIn(ctx(other.actor), { sessionId: session!.id, name: "Sita Rao", phone, formKey: "desk-key-1" });
    const { id } = await book(await makePatient(db), other, { phone });
    expect(await visitOf(id)).toMatchObject({ token: walkIn.number });
    expect(await entriesOf(id)).toMatchObject([{ id: walkIn.id, state: "arrived" }]);
  });

  it("is refused for a closed session, for the past and outside the sessions", async () => {
    const other = await makeTokenDoctor(ctx(null));
    await book(await makePatient(db), other);
    const [session] = await sessionsOf(other.id);
    await closeQueue(ctx(other.actor), { sessionId: session!.id, sms: false });
    expect(await failure(book(await makePatient(db), other))).toMatchObject({ code: "conflict" });
    expect(await failure(book(await makePatient(db), other, { date: dayFromNow(-1) }))).toMatchObject({ code: "slot-taken" });
    expect(await failure(book(await makePatient(db), other, { date: later, time: "17:05" }))).toMatchObject({ code: "slot-taken" });
  });

  it("for a caller gets a token and is accepted", async () => {
    const wish = {
      hospitalId: null,
      doctorId: doctor.id,
      at: { date, time },
      phone: newPhone(),
      name: "Ravi",
      age: 50,
      gender: "male" as const,
    };
    const { id } = await bookForCaller(ctx(doctor.actor), { ...wish, idempotencyKey: "caller-token-1" });
    expect(await visitOf(id)).toMatchObject({ status: "accepted", token: expect.any(Number) });
    expect((await bookForCaller(ctx(doctor.actor), { ...wish, idempotencyKey: "caller-token-1" })).id).toBe(id);
    expect(await entriesOf(id)).toMatchObject([{ state: "expected" }]);
  });
});

describe("the queue", () => {
  it("lists the tokens in the order of the numbers, and gives no second one when the day is planned", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await book(await makePatient(db), other)).id);
    for (const id of ids) await changeAppointment(ctx(other.actor), { id, action: "accept" });
    await planDay(ctx(null), { practiceId: other.id, date });
    const [session, ...more] = await sessionsOf(other.id);
    expect(more).toEqual([]);
    const queue = await getPlainQueue(ctx(null), session!.id);
    expect(queue.expected.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(queue.over).toEqual([]);
  });

  it("marks an accepted patient who did not come as missed, and a request not", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const [accepted, request] = [await book(await makePatient(db), other), await book(await makePatient(db), other)];
    await changeAppointment(ctx(other.actor), { id: accepted.id, action: "accept" });
    const [session] = await sessionsOf(other.id);
    const evening = new Date(`${date}T12:30:00Z`);
    await changeSession(ctx(other.actor, evening), { sessionId: session!.id, action: "open" });
    await closeQueue(ctx(other.actor, new Date(`${date}T15:30:00Z`)), { sessionId: session!.id, sms: false });
    expect(await visitOf(accepted.id)).toMatchObject({ status: "accepted", noShowAt: expect.any(Date) });
    expect(await visitOf(request.id)).toMatchObject({ status: "pending", noShowAt: null });
  });
});

describe("a change", () => {
  it("frees the seat of a cancelled booking, and never its number", async () => {
    const other = await makeTokenDoctor(ctx(null), { seats: 1 });
    const [first, second] = [await makePatient(db), await makePatient(db)];
    const { id } = await book(first, other);
    expect(await failure(book(second, other))).toMatchObject({ code: "slot-taken" });
    await changeAppointment(ctx(first.actor), { id, action: "cancel" });
    expect(await entriesOf(id)).toMatchObject([{ state: "left" }]);
    const next = await book(second, other);
    expect(await visitOf(next.id)).toMatchObject({ token: 2, expectedTime: "17:00:00" });
    // The same patient again: another entry with another number.
    await changeAppointment(ctx(second.actor), { id: next.id, action: "cancel" });
    expect(await visitOf((await book(first, other)).id)).toMatchObject({ token: 3 });
  });

  it("to another session gives a token there and takes the patient out of the old queue", async () => {
    const patient = await makePatient(db);
    const { id } = await book(patient);
    const before = await visitOf(id);
    await rescheduleAppointment(ctx(patient.actor), { id, date: later, time });
    const after = await visitOf(id);
    expect(after).toMatchObject({ date: later, time: "17:00:00", status: "pending", expectedTime: expect.any(String) });
    expect(after.queueSessionId).not.toBe(before.queueSessionId);
    expect(await entriesOf(id)).toMatchObject([
      { sessionId: before.queueSessionId, state: "left" },
      { sessionId: after.queueSessionId, number: after.token, state: "expected" },
    ]);
    expect(await failure(rescheduleAppointment(ctx(patient.actor), { id, date: later, time }))).toMatchObject({ code: "conflict" });
    expect(await entriesOf(id)).toHaveLength(2);
  });

  it("between two sessions in both directions at once ends, with unique numbers", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const there = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const patient = await makePatient(db);
        return { patient, id: (await book(patient, other)).id, to: later };
      }),
    );
    const back = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const patient = await makePatient(db);
        return { patient, id: (await book(patient, other, { date: later })).id, to: date };
      }),
    );
    const results = await Promise.all(
      [...there, ...back].map(({ patient, id, to }) => failure(rescheduleAppointment(ctx(patient.actor), { id, date: to, time }))),
    );
    expect(results).toEqual(Array.from({ length: 12 }, () => null));
    const rows = await db
      .select({ session: appointments.queueSessionId, token: appointments.token })
      .from(appointments)
      .where(eq(appointments.doctorId, other.id));
    expect(new Set(rows.map(({ session, token }) => `${session} ${token}`)).size).toBe(12);
    const live = await db.$count(
      queueEntries,
      and(eq(queueEntries.state, "expected"), eq(queueEntries.kind, "booked"), eq(queueEntries.sessionId, rows[0]!.session!)),
    );
    expect(live).toBe(6);
  });

  it("of one patient to a full session is refused and leaves the booking as it was", async () => {
    const other = await makeTokenDoctor(ctx(null), { seats: 1 });
    await book(await makePatient(db), other, { date: later });
    const patient = await makePatient(db);
    const { id } = await book(patient, other);
    expect(await failure(rescheduleAppointment(ctx(patient.actor), { id, date: later, time }))).toMatchObject({ code: "slot-taken" });
    expect(await visitOf(id)).toMatchObject({ date, token: 1 });
    expect(await entriesOf(id)).toMatchObject([{ state: "expected" }]);
  });

  it("by the doctor, and by a proposal that the patient takes, gives a token of the new session", async () => {
    const patient = await makePatient(db);
    const { id } = await book(patient);
    await moveAppointment(ctx(doctor.actor), { id, at: { date: later, time } });
    expect(await visitOf(id)).toMatchObject({ date: later, status: "accepted", token: expect.any(Number) });
    await proposeTimes(ctx(doctor.actor), { id, options: [{ date, time }] });
    const proposal = (await findProposal(ctx(patient.actor), id))!;
    expect(proposal.options).toMatchObject([{ date, time }]);
    await takeProposal(ctx(patient.actor), { id, proposal: proposal.id, at: { date, time } });
    const visit = await visitOf(id);
    expect(visit).toMatchObject({ date, status: "accepted" });
    expect((await entriesOf(id)).filter(({ state }) => state === "expected")).toMatchObject([
      { sessionId: visit.queueSessionId, number: visit.token },
    ]);
  });

  it("to a practice with times takes a claim and no token, and back", async () => {
    const other = await makeTokenDoctor(ctx(null));
    await giveSlots(db, other.id, [{ date, time: "10:00" }]);
    const { id } = await book(await makePatient(db), other);
    await moveAppointment(ctx(other.actor), { id, at: { date, time: "10:00" } });
    expect(await visitOf(id)).toMatchObject({ queueSessionId: null, token: null, expectedTime: null, minutes: 30 });
    expect(await db.$count(slotClaims, eq(slotClaims.appointmentId, id))).toBe(1);
    expect((await entriesOf(id)).map(({ state }) => state)).toEqual(["left"]);
    await moveAppointment(ctx(other.actor), { id, at: { date: later, time } });
    expect(await visitOf(id)).toMatchObject({ token: 1, expectedTime: "17:00:00" });
    expect(await db.$count(slotClaims, eq(slotClaims.appointmentId, id))).toBe(0);
  });

  it("by a leave cancels the bookings of its sessions and opens none in it", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const ids = [(await book(await makePatient(db), other)).id, (await book(await makePatient(db), other)).id];
    const settled = await enterLeave(ctx(other.actor), {
      from: date,
      until: date,
      practiceId: null,
      note: null,
      visits: ids,
      booked: "cancel",
      moves: new Map(),
      reason: "unwell",
    });
    expect(settled).toMatchObject({ cancelled: 2 });
    for (const id of ids) expect(await entriesOf(id)).toMatchObject([{ state: "left" }]);
    expect(await listDaySlots(ctx(null), other.id, date)).toEqual([]);
  });

  it("by a leave moves the bookings to sessions after it", async () => {
    const other = await makeTokenDoctor(ctx(null));
    const ids = [(await book(await makePatient(db), other)).id, (await book(await makePatient(db), other)).id];
    const settled = await enterLeave(ctx(other.actor), {
      from: date,
      until: date,
      practiceId: null,
      note: null,
      visits: ids,
      booked: "move",
      moves: new Map(ids.map((id) => [id, { date: later, time }])),
      reason: "unwell",
    });
    expect(settled).toMatchObject({ moved: 2 });
    const tokens = await Promise.all(ids.map(async (id) => (await visitOf(id)).token));
    expect(tokens.sort()).toEqual([1, 2]);
  });
});

describe("opening sessions", () => {
  const slotsOn = (doctorId: string, on = date) =>
    db
      .select({
        time: availabilitySlots.time,
        minutes: availabilitySlots.minutes,
        seats: availabilitySlots.seats,
        tokens: availabilitySlots.tokens,
      })
      .from(availabilitySlots)
      .where(and(eq(availabilitySlots.doctorId, doctorId), eq(availabilitySlots.date, on)))
      .orderBy(asc(availabilitySlots.time));

  it("opens one for each part of the day, and none twice", async () => {
    const other = await makeTokenDoctor(ctx(null), {
      seats: 12,
      hours: [
        ["09:00", "11:00"],
        ["11:30", "13:00"],
        ["18:00", "21:00"],
      ],
    });
    const opened = [
      { time: "09:00:00", minutes: 240, seats: 12, tokens: true },
      { time: "18:00:00", minutes: 180, seats: 12, tokens: true },
    ];
    expect(await slotsOn(other.id)).toEqual(opened);
    expect(await openDays(ctx(null), other.id)).toBe(0);
    expect(await slotsOn(other.id)).toEqual(opened);
  });

  it("leaves a part of a day alone in which a patient has a time", async () => {
    const other = await makeDoctor(db, { fee: 50_000 });
    await makeVisit(db, { patient: await makePatient(db), doctor: other }, { date, time: "17:30", status: "accepted" });
    await giveTokens(ctx(null), other.id);
    expect((await slotsOn(other.id)).filter(({ tokens }) => tokens)).toEqual([]);
    expect(await slotsOn(other.id, later)).toMatchObject([{ tokens: true }]);
  });

  it("keeps a session with bookings when the hours change", async () => {
    const other = await makeTokenDoctor(ctx(null));
    await book(await makePatient(db), other);
    await setHours(ctx(other.actor), {
      id: other.id,
      spans: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: "18:00", until: "21:00" })),
    });
    expect(await slotsOn(other.id)).toMatchObject([{ time: "17:00:00" }]);
    expect(await slotsOn(other.id, later)).toMatchObject([{ time: "18:00:00" }]);
  });

  it("opens no single times by hand", async () => {
    expect(await failure(addSlots(ctx(doctor.actor), [{ date, times: ["10:00"] }]))).toMatchObject({ code: "conflict" });
    expect(await db.select({ mode: practices.mode }).from(practices).where(eq(practices.id, doctor.id))).toEqual([{ mode: "tokens" }]);
  });
});
