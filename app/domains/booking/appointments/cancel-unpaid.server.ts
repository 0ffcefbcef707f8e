import { and, eq, lte, sql } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointments, doctors } from "#app/db/schema/index.ts";
import { APPOINTMENT_ACTIONS } from "#app/domains/appointment.state.ts";
import { lockWaitlistOfVisit } from "#app/domains/booking/waitlist/lock.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { changedAt, openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { tokenParams } from "#app/domains/waiting-room/queue/book-token.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { followCancellation } from "./follow-cancellation.server.ts";

/** SQL: an appointment whose prepayment is overdue: no money was received for it, and it has not started. Mistakes and double payments do not count. */
export const unpaidVisit = (now: Date) =>
  and(
    lte(appointments.prepayUntil, now),
    openVisit(appointments),
    startsLater(appointments, minuteInIndia(now)),
    // Written in full: drizzle omits the table in a one-table select, and `id` would be the payment's.
    sql`not exists (select from payments p where p.appointment_id = appointments.id and p.amount > p.corrected)`,
  );

/**
 * Cancels an appointment that was not paid in time, frees its time and notifies patient and doctor. Returns false when it was paid, cancelled or
 * started meanwhile. Safe to repeat and to run twice at once.
 */
export const cancelUnpaid = (ctx: Ctx, id: string): Promise<boolean> =>
  transact(ctx, async (tx) => {
    await lockWaitlistOfVisit(tx, id);
    // The lock of every command that books money. The condition after it sees what they wrote.
    await tx.db.select({ id: appointments.id }).from(appointments).where(eq(appointments.id, id)).for("no key update");
    const { to } = APPOINTMENT_ACTIONS.cancel;
    const [row] = await tx.db
      .update(appointments)
      .set({ status: to, cancelledAt: tx.now, cancelReason: "unpaid", refundOwed: true, updatedAt: changedAt(tx.now) })
      .where(and(eq(appointments.id, id), unpaidVisit(tx.now)))
      .returning({
        patientId: appointments.patientId,
        doctorId: appointments.doctorId,
        patient: appointments.patientName,
        date: appointments.date,
        time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
        token: appointments.token,
        expectedTime: appointments.expectedTime,
      });
    if (!row) return false;
    const { patientId, doctorId, date, time } = row;
    const [doctor] = await tx.db
      .select({ ...doctorNames, hospitalId: doctors.hospitalId })
      .from(doctors)
      .where(eq(doctors.id, doctorId));
    // Nothing was paid.
    const followed = await followCancellation(tx, { id, doctorId, refundOwed: false });
    const params = { ...doctorParams(doctor), patient: row.patient, date, time, appointment: id, ...tokenParams(row) };
    await recordChange(tx, "appointment.cancel", {
      subject: { appointment: id },
      people: { patient: patientId, doctor: doctorId, actor: patientId },
      place: doctor?.hospitalId ?? null,
      data: { to, date, time },
      details: { date, time, cancelReason: "unpaid", ...followed },
      notify: {
        patient: { kind: "appointment-unpaid", params, target: { page: "patient-appointment", id } },
        doctor: { params: { ...params, by: "unpaid" }, target: { page: "doctor-visit", id } },
      },
    });
    await settleWaitlist(tx, doctorId);
    return true;
  });
