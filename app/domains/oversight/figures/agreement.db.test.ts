/** One generated day with everything that can happen to an appointment: doctor, clinic and administrator count the same. */
import { expect, it } from "vitest";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { closeQueue } from "#app/domains/booking/appointments/close-queue.server.ts";
import { moveAppointment } from "#app/domains/booking/appointments/proposals.server.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { getOwnQueueReport, getPlaceQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { addWalkIn } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { callPatient, changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { changeVisitEntry } from "#app/domains/waiting-room/queue/change-visit-entry.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { addSlots, dayFromNow, makePatient, makeStaff, makeVisit, newPhone } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { randomOf } from "../../../../tests/setup/waitlist-simulation.ts";
import { getPlatformFigures } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
const today = dayFromNow(0);
const at = (time: string) => instantInIndia(today, time);

const FATES = [
  "seen",
  "seen without the queue",
  "cancelled by the patient",
  "cancelled by the doctor",
  "moved to another day",
  "moved within the day",
  "moved while here",
  "missed",
  "missed, then cancelled",
  "missed, then undone",
  "missed, then completed",
  "left while here",
  "not coming",
  "closed before the turn",
] as const;
type Fate = (typeof FATES)[number];

it("counts cancelled, moved, missed and left patients alike in the reports of doctor, clinic and administrator", async () => {
  const { doctor, place, reception } = await makeClinic(db);
  const admin = await makeStaff(db, "admin");
  const random = randomOf(46);
  const fates: Fate[] = [...FATES, ...Array.from({ length: 20 }, () => FATES[Math.floor(random() * FATES.length)]!)];
  const count = (...of: Fate[]) => fates.filter((fate) => of.includes(fate)).length;
  const sessionId = await makeSession(db, doctor.id, { doctorInAt: at("09:00") });
  const asDoctor = (time: string) => ctx(doctor.actor, at(time));
  const asDesk = (time: string) => ctx(reception, at(time));
  const clock = (minute: number) => `${String(9 + Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const visits = [];
  for (const [i, fate] of fates.entries()) {
    const patient = await makePatient(db);
    // After the queue closes.
    const time = fate === "closed before the turn" ? clock(120 + i) : clock(i);
    visits.push({
      fate,
      patient,
      id: await makeVisit(db, { patient, doctor }, { date: today, time, status: "accepted", name: `Of ${i}` }),
    });
  }
  await sql`update appointments set created_at = ${at("08:00").toISOString()}, cancelled_at = null where doctor_id = ${doctor.id}`;
  await planDay(asDesk("08:30"), { practiceId: doctor.id, date: today });
  const later = dayFromNow(9);
  await addSlots(
    db,
    doctor.id,
    visits.flatMap((_, i) => [
      { date: later, time: clock(i) },
      { date: today, time: clock(600 + i) },
    ]),
  );
  const press = (id: string, action: "arrive" | "leave", time: string) => changeVisitEntry(asDesk(time), { appointmentId: id, action });
  const entryOf = async (id: string) =>
    (await sql<{ id: string }[]>`select id from queue_entries where appointment_id = ${id} order by created_at`)[0]!.id;

  // Before the doctor begins.
  for (const [i, { fate, id, patient }] of visits.entries()) {
    if (fate === "cancelled by the patient") {
      await sql`update appointments set status = 'pending' where id = ${id}`;
      await changeAppointment(ctx(patient.actor, at("08:40")), { id, action: "cancel" });
    }
    if (fate === "cancelled by the doctor") await changeAppointment(asDoctor("08:40"), { id, action: "cancel", reason: "unwell" });
    if (fate === "moved while here") await press(id, "arrive", "08:35");
    if (fate === "moved to another day") await moveAppointment(asDoctor("08:45"), { id, at: { date: later, time: clock(i) } });
    if (fate === "moved within the day" || fate === "moved while here")
      await moveAppointment(asDoctor("08:45"), { id, at: { date: today, time: clock(600 + i) } });
    if (fate === "not coming") await press(id, "leave", "08:50");
    if (fate === "left while here") {
      await press(id, "arrive", "08:50");
      await press(id, "leave", "09:20");
    }
  }
  // The queue.
  for (const { fate, id } of visits)
    if (fate === "seen") {
      await press(id, "arrive", "09:30");
      const entryId = await entryOf(id);
      await callPatient(asDesk("09:40"), { sessionId, entryId, now: true });
      await changeAppointment(asDoctor("09:50"), { id, action: "complete" });
    } else if (fate === "seen without the queue") await changeAppointment(asDoctor("09:55"), { id, action: "complete" });
  const walkIn = await addWalkIn(asDesk("09:50"), { sessionId, name: "Walk-in", phone: newPhone(), formKey: "walk-in-46" });
  await changeEntry(asDesk("09:55"), { sessionId, entryId: walkIn.id, action: "leave" });
  await closeQueue(asDesk("10:00"), { sessionId, sms: false });
  // Afterwards.
  for (const { fate, id } of visits) {
    if (fate === "missed, then cancelled") await changeAppointment(asDoctor("13:00"), { id, action: "cancel", reason: "unwell" });
    if (fate === "missed, then completed") await changeAppointment(asDoctor("13:00"), { id, action: "complete" });
    if (fate === "missed, then undone")
      await changeEntry(asDoctor("13:00"), { sessionId, entryId: await entryOf(id), action: "undo-miss" });
  }

  const stats = await getDoctorStats(asDoctor("14:00"), "6m");
  const own = (await getOwnQueueReport(asDoctor("14:00"), 30)).all;
  const clinic = (await getPlaceQueueReport(ctx(place.owner, at("14:00")), place.id, 30)).report.all;
  const platform = (await getPlatformFigures(ctx(admin, at("14:00")), 4)).total;

  const cancelled = count("cancelled by the patient", "cancelled by the doctor", "missed, then cancelled", "closed before the turn");
  const missed = count("missed", "missed, then cancelled");
  const completed = count("seen", "seen without the queue", "missed, then completed");
  expect(stats).toMatchObject({
    completedAppointments: completed,
    cancelledAppointments: cancelled,
    missedAppointments: missed,
    monthlyCancelledAppointments: cancelled,
  });
  expect(own).toMatchObject({ noShows: missed, left: count("left while here", "not coming") + 1 });
  expect(own.unseen).toBe(count("left while here") + 1);
  expect(clinic).toEqual(own);
  expect(platform).toMatchObject({ bookings: fates.length, missed, cancelledByPatient: count("cancelled by the patient") });
  expect(platform.cancelledByPatient + platform.cancelledByDoctor + platform.cancelledByOthers).toBe(cancelled);
});
