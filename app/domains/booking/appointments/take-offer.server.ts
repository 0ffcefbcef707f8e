import { and, eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, doctors, waitlistEntries } from "#app/db/schema/index.ts";
import { isListedDoctor } from "#app/db/schema/visibility.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { type OwnOffer, offerOver, readOwnOffer } from "#app/domains/booking/waitlist/answer-offer.server.ts";
import { closeOffer, moveEntry } from "#app/domains/booking/waitlist/entries.server.ts";
import { lockWaitlist } from "#app/domains/booking/waitlist/lock.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { type Booked, insertBooking } from "./book-appointment.server.ts";
import { moveToOffer } from "./change-appointment.server.ts";
import { NO_REASON } from "./choices.ts";

/**
 * Books the time that the waitlist offered to the acting patient. With a later appointment: moves that one, and offers the freed time in the same
 * transaction. A second press returns the same appointment. An offer that has just ended lapses.
 * @throws DomainError("not-found" | "conflict" with a way to go on)
 */
export async function takeOffer(ctx: Ctx<Actor>, offerId: string): Promise<Booked> {
  const first = await readOwnOffer(ctx, offerId);
  const { doctorId } = first.entry;
  try {
    const result = await transact(ctx, async (tx) => {
      // Serializes with a suspension of the doctor and with changes of the doctor's times.
      const [doctor] = await tx.db
        .select({ registrationStatus: doctors.registrationStatus })
        .from(doctors)
        .where(eq(doctors.id, doctorId))
        .for("share");
      await lockWaitlist(tx, doctorId);
      await requireOpenAccount(tx);
      const offer = await readOwnOffer(tx, offerId);
      if (offer.state === "taken" && offer.entry.appointmentId) return { id: offer.entry.appointmentId };
      const refused = offerOver(tx, offer) ?? (await findObstacle(tx, doctor, offer));
      if (!refused) return take(tx, offer);
      // Ends the offer and passes the time on.
      await settleWaitlist(tx, doctorId);
      return refused;
    });
    if (result instanceof DomainError) throw result;
    return result;
  } catch (error) {
    if (violatedConstraint(error) === "appointments_once_per_patient") throw new DomainError("conflict", m.waitlist_own_time());
    throw error;
  }
}

/** Returns what hinders a live offer: the doctor is suspended, or the time was removed or has begun. */
async function findObstacle(
  tx: Ctx,
  doctor: Pick<typeof doctors.$inferSelect, "registrationStatus"> | undefined,
  { entry, practiceId, date, time }: OwnOffer,
): Promise<DomainError | null> {
  if (!doctor || !isListedDoctor(doctor)) return new DomainError("conflict", m.appointments_doctor_away());
  const [slot] = await tx.db
    .select({ minutes: availabilitySlots.minutes })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, entry.doctorId),
        eq(availabilitySlots.practiceId, practiceId),
        eq(availabilitySlots.date, date),
        eq(availabilitySlots.time, time),
      ),
    )
    .for("key share");
  return slot && !hasStarted(tx.now, { date, time }) ? null : new DomainError("conflict", m.waitlist_offer_withdrawn());
}

async function take(tx: Ctx<Actor>, { id: offerId, date, time, entry }: OwnOffer): Promise<Booked> {
  const [visit] = entry.appointmentId
    ? await tx.db
        .select({ id: appointments.id, status: appointments.status, date: appointments.date, time: appointments.time })
        .from(appointments)
        .where(and(eq(appointments.id, entry.appointmentId), eq(appointments.patientId, tx.actor.userId)))
        .for("no key update")
    : [];
  const held = visit && isOpen(visit) && !hasStarted(tx.now, visit) ? visit : null;
  // Before the appointment: its trigger takes the seat that the offer gives up.
  await closeOffer(tx, offerId, "taken", held ? { freedDate: held.date, freedTime: held.time } : {});
  await moveEntry(tx, entry, "take", { date, time }, { lapses: 0 });
  if (held) {
    await moveToOffer(tx, held.id, { date, time });
    return { id: held.id };
  }
  const booked = await insertBooking(tx, {
    doctorId: entry.doctorId,
    date,
    time,
    name: entry.patientName,
    phone: entry.patientPhone,
    age: entry.patientAge,
    dateOfBirth: entry.patientBirthDate ?? undefined,
    gender: entry.patientGender,
    reason: NO_REASON,
    records: [],
    idempotencyKey: `waitlist-${offerId}`,
    smsUpdates: entry.sms,
  });
  await tx.db.update(waitlistEntries).set({ appointmentId: booked.id }).where(eq(waitlistEntries.id, entry.id));
  await settleWaitlist(tx, entry.doctorId);
  return booked;
}
