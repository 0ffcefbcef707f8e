import { and, eq, inArray, sql } from "drizzle-orm";
import { appointments, doctors } from "#app/db/schema/index.ts";
import { lockWaitlists } from "#app/domains/booking/waitlist/lock.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";

/**
 * Cancels and deletes booked appointments that no one has touched. Pages, partners and the waitlist learn of it; the patient and the doctor, who
 * were not notified of the booking, are not notified of its end. @returns the ids of those that it deleted
 */
export async function undoAppointments(tx: Ctx, ids: string[]): Promise<ReadonlySet<string>> {
  if (!ids.length) return new Set();
  const ofDoctors = await tx.db.selectDistinct({ id: appointments.doctorId }).from(appointments).where(inArray(appointments.id, ids));
  // Before the appointments, as every command that frees times.
  await lockWaitlists(
    tx,
    ofDoctors.map(({ id }) => id),
  );
  const untouched = await tx.db
    .select({
      id: appointments.id,
      patientId: appointments.patientId,
      doctorId: appointments.doctorId,
      place: doctors.hospitalId,
      date: appointments.date,
      time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(
      and(
        inArray(appointments.id, ids),
        eq(appointments.status, "accepted"),
        eq(appointments.updatedAt, appointments.createdAt),
        sql`not exists (select from payments p where p.appointment_id = ${appointments.id})`,
        sql`not exists (select from queue_entries q where q.appointment_id = ${appointments.id})`,
        sql`not exists (select from encounters e where e.appointment_id = ${appointments.id})`,
        sql`not exists (select from payment_orders o where o.appointment_id = ${appointments.id})`,
        sql`not exists (select from medical_records r where r.appointment_id = ${appointments.id})`,
        sql`not exists (select from reminders r where r.appointment_id = ${appointments.id})`,
        sql`not exists (select from waitlist_entries w where w.appointment_id = ${appointments.id})`,
      ),
    )
    .for("update", { of: appointments });
  const gone = new Set(untouched.map(({ id }) => id));
  if (!gone.size) return gone;
  await recordChanges(
    tx,
    "appointment.cancel",
    untouched.map(({ id, patientId, doctorId, place, date, time }) => ({
      subject: { appointment: id },
      people: { patient: patientId, doctor: doctorId, actor: doctorId },
      place,
      data: { to: "cancelled" as const, date, time },
      details: { date, time },
      notify: { patient: null, doctor: null },
    })),
  );
  await tx.db.delete(appointments).where(inArray(appointments.id, [...gone]));
  for (const { id } of ofDoctors) await settleWaitlist(tx, id);
  return gone;
}
