/** A day with tokens that several people change at once: none of them deadlocks, and no cancelled booking stays in a queue. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { enterLeave } from "#app/domains/clinic/practices/leave.server.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { changeSession } from "#app/domains/waiting-room/queue/change-session.server.ts";
import { LIVE_STATES } from "#app/domains/waiting-room/queue/entry.state.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { dayFromNow, makePatient, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeTokenDoctor } from "../../../../tests/factories/tokens.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment } from "./book-appointment.server.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import { closeQueue } from "./close-queue.server.ts";

const { db, ctx } = testDb();
const ROUNDS = 5;
const date = dayFromNow(3);
/** The morning of that day. */
const now = instantInIndia(date, "07:00");

/** Returns "ok", or the code of a refusal. Fails for any other error: a deadlock is no refusal. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );

async function bookedDay() {
  const doctor = await makeTokenDoctor(ctx(null), {
    hours: [
      ["09:00", "11:00"],
      ["17:00", "20:00"],
    ],
  });
  const bookings = [];
  for (const time of ["09:00", "17:00", "09:00", "17:00"]) {
    const patient = await makePatient(db);
    const { id } = await bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time }));
    bookings.push({ id, patient });
  }
  const visits = bookings.map(({ id }) => id);
  await db.update(appointments).set({ status: "accepted" }).where(inArray(appointments.id, visits));
  const sessions = await db.select().from(queueSessions).where(eq(queueSessions.doctorId, doctor.id));
  return { doctor, bookings, visits, sessions };
}
const leaveOf = (doctor: TestDoctor, visits: string[]) =>
  enterLeave(ctx(doctor.actor, now), {
    ...{ from: date, until: date, practiceId: null, note: null, visits, booked: "cancel", moves: new Map(), reason: "unwell" },
  });
const entriesOf = (visits: string[]) => db.select().from(queueEntries).where(inArray(queueEntries.appointmentId, visits));
const liveOfCancelled = () =>
  db
    .select({ id: queueEntries.id })
    .from(queueEntries)
    .innerJoin(appointments, eq(appointments.id, queueEntries.appointmentId))
    .where(and(eq(appointments.status, "cancelled"), inArray(queueEntries.state, [...LIVE_STATES])));

it("leave today, while the desk opens the queue, patients cancel and book, and a patient walks in", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { doctor, bookings, visits, sessions } = await bookedDay();
    const entries = await entriesOf(visits);
    const newcomer = await makePatient(db);
    const [left, ...rest] = await Promise.all([
      outcome(leaveOf(doctor, visits)),
      outcome(planDay(ctx(null, now), { practiceId: doctor.id, date })),
      outcome(planDay(ctx(null, now), { practiceId: doctor.id, date })),
      outcome(changeAppointment(ctx(bookings[3]!.patient.actor, now), { id: bookings[3]!.id, action: "cancel" })),
      outcome(bookAppointment(ctx(newcomer.actor, now), wishFor(doctor.id, { date, time: "17:00" }))),
      outcome(
        addWalkIn(ctx(doctor.actor, now), {
          sessionId: sessions[0]!.id,
          ...{ phone: newPhone(), name: "Basha", age: null, gender: null, priority: "normal", formKey: randomToken() },
        }),
      ),
      ...entries.map(({ id, sessionId }) => outcome(changeEntry(ctx(doctor.actor, now), { sessionId, entryId: id, action: "arrive" }))),
    ]);
    expect(["ok", "conflict"]).toContain(left);
    for (const code of rest) expect(["ok", "conflict", "forbidden", "slot-taken", "not-found"]).toContain(code);
    // Someone was first: the doctor enters the leave with the appointments as they are now.
    if (left === "conflict") {
      const open = await db
        .select({ id: appointments.id })
        .from(appointments)
        .where(and(eq(appointments.doctorId, doctor.id), sql`${appointments.status} <> 'cancelled'`));
      await leaveOf(
        doctor,
        open.map(({ id }) => id),
      );
    }
    expect(await liveOfCancelled()).toEqual([]);
    expect(await db.$count(appointments, and(eq(appointments.doctorId, doctor.id), sql`${appointments.status} <> 'cancelled'`))).toBe(0);
  }
});

it("a patient's cancellation, while the day's queue loads for the first time, opens and closes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { doctor, bookings, sessions } = await bookedDay();
    const sessionId = sessions.find(({ part }) => part === "morning")!.id;
    const [cancelled] = await Promise.all([
      outcome(changeAppointment(ctx(bookings[0]!.patient.actor, now), { id: bookings[0]!.id, action: "cancel", reason: "unwell" })),
      outcome(planDay(ctx(null, now), { practiceId: doctor.id, date })),
      outcome(changeSession(ctx(doctor.actor, now), { sessionId, action: "open" })),
      outcome(closeQueue(ctx(doctor.actor, now), { sessionId, sms: true })),
    ]);
    expect(["ok", "conflict", "too-late", "forbidden"]).toContain(cancelled);
    expect(await liveOfCancelled()).toEqual([]);
    // No booking has two tokens.
    for (const { id } of bookings) expect((await entriesOf([id])).length).toBe(1);
  }
});
