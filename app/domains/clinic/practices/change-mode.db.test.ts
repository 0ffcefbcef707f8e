/** Two pages change how patients book a practice while patients book it: each booking has either its time or a token. */
import { and, eq, isNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { appointments, availabilitySlots, practiceHours, practices, queueEntries, slotClaims } from "#app/db/schema/index.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { planQueues } from "#app/domains/waiting-room/queue/plan-queues.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changePractice } from "./change-practice.server.ts";
import { openDays } from "./open-days.server.ts";
import { setHours } from "./set-hours.server.ts";

const { db, ctx } = testDb();
const date = dayFromNow(6);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DomainError,
  );

/** A doctor with weekly hours every evening, whose queue was never opened. */
async function eveningDoctor(): Promise<TestDoctor> {
  const doctor = await makeDoctor(db, { fee: 50_000 });
  const spans = Array.from({ length: 7 }, (_, weekday) => ({ weekday, from: "17:00", until: "20:00" }));
  await setHours(ctx(doctor.actor), { id: doctor.id, spans });
  return doctor;
}
const change = (doctor: TestDoctor, mode: "slots" | "tokens") =>
  changePractice(ctx(doctor.actor), {
    id: doctor.id,
    slotMinutes: 30,
    patientsPerSlot: 2,
    mode,
    modeShown: mode === "slots" ? "tokens" : "slots",
    seatsPerSession: 8,
  });

it("ends with the mode of one of two pages, and loses no booking made meanwhile", async () => {
  const doctor = await eveningDoctor();
  const booked = async () => {
    const patient = await makePatient(db);
    // The start of the session is also a time of its own.
    const error = await failure(bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time: "17:00" })));
    return error?.code ?? "booked";
  };
  const results: string[] = [];
  for (let round = 0; round < 6; round++) {
    const [first, second, ...bookings] = await Promise.all([
      failure(change(doctor, round % 2 ? "slots" : "tokens")),
      failure(change(doctor, round % 2 ? "tokens" : "slots")),
      booked(),
      booked(),
      booked(),
    ]);
    expect([first, second]).toEqual([null, null]);
    results.push(...bookings);
  }
  // Each booking of the rounds may have met a change.
  results.push(await booked());
  expect(results.filter((result) => result !== "booked" && result !== "slot-taken")).toEqual([]);
  const visits = await db.select().from(appointments).where(eq(appointments.doctorId, doctor.id));
  expect(visits).toHaveLength(results.filter((result) => result === "booked").length);
  expect(visits.length).toBeGreaterThan(0);
  for (const { id, token, queueSessionId } of visits) {
    const [claims, entries] = await Promise.all([
      db.$count(slotClaims, eq(slotClaims.appointmentId, id)),
      db.select({ number: queueEntries.number }).from(queueEntries).where(eq(queueEntries.appointmentId, id)),
    ]);
    expect({ claims, entries }).toEqual(queueSessionId ? { claims: 0, entries: [{ number: token }] } : { claims: 1, entries: [] });
  }
  // The time that is offered is the one that its bookings have.
  const [practice] = await db.select({ mode: practices.mode }).from(practices).where(eq(practices.id, doctor.id));
  const [offered] = await db
    .select({ tokens: availabilitySlots.tokens })
    .from(availabilitySlots)
    .where(and(eq(availabilitySlots.doctorId, doctor.id), eq(availabilitySlots.date, date), eq(availabilitySlots.time, "17:00")));
  if (visits.some(({ queueSessionId }) => queueSessionId === null)) expect(offered).toEqual({ tokens: false });
  else expect(["slots", "tokens"]).toContain(practice!.mode);
});

it("is refused when another page removed the hours meanwhile, or sessions close with them", async () => {
  const doctor = await eveningDoctor();
  const [changed, removed] = await Promise.all([
    failure(change(doctor, "tokens")),
    failure(setHours(ctx(doctor.actor), { id: doctor.id, spans: [] })),
  ]);
  expect(removed).toBeNull();
  expect([undefined, "conflict"]).toContain(changed?.code);
  expect(await db.$count(practiceHours, eq(practiceHours.practiceId, doctor.id))).toBe(0);
  expect(await db.$count(availabilitySlots, eq(availabilitySlots.doctorId, doctor.id))).toBe(0);
  expect(await openDays(ctx(null), doctor.id)).toBe(0);
});

it("gives an appointment from before its token in the morning, although staff never opened the queue", async () => {
  const doctor = await eveningDoctor();
  const patient = await makePatient(db);
  const { id } = await bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time: "17:30" }));
  await db.update(appointments).set({ status: "accepted" }).where(eq(appointments.id, id));
  await change(doctor, "tokens");
  const onTheDay = ctx(null, new Date(`${date}T01:00:00+05:30`));
  expect(await planQueues(onTheDay)).toBeGreaterThan(0);
  await planDay(onTheDay, { practiceId: doctor.id, date });
  expect(await db.select({ number: queueEntries.number }).from(queueEntries).where(eq(queueEntries.appointmentId, id))).toEqual([
    { number: 1 },
  ]);
  expect(await db.$count(appointments, and(eq(appointments.id, id), isNull(appointments.queueSessionId)))).toBe(1);
});
