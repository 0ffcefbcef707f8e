import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { appointments, availabilitySlots, clinicPatients, doctors, practices, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { NO_REASON } from "#app/domains/booking/appointments/choices.ts";
import { refundHoursAtBooking } from "#app/domains/booking/cancellation/policies.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { bookedAge } from "#app/domains/platform/users/booked-age.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { newReferenceCode } from "#app/lib/ids.server.ts";
import { paise } from "#app/lib/money.ts";
import type { Clinic } from "./clinic.server.ts";
import { isPracticeOf } from "./known-people.server.ts";
import type { AppointmentRow } from "./rows.ts";

export type ImportedBooking = { id: string; patientId: string; doctorId: string; place: string | null; date: string; time: string };
/** Why no time can be booked: what the check would have said. */
export type NotBooked = "patient-incomplete" | "time-closed" | "time-taken";

/** The time of a row, at a practice of the clinic. */
type Wanted = { clinic: Clinic; doctorId: string; row: AppointmentRow };

/**
 * Books the time of a row for a patient of the register, accepted at once. The caller records it with `recordBookings`.
 * @returns why not, when the time is gone meanwhile, or the patient has no phone, age or gender
 */
export async function bookImported(tx: Ctx<Actor>, of: { clinicPatientId: string } & Wanted): Promise<ImportedBooking | NotBooked> {
  const [patient] = await tx.db.select().from(clinicPatients).where(eq(clinicPatients.id, of.clinicPatientId));
  if (!patient?.patientId || !patient.phone || !patient.birthDate || !patient.gender) return "patient-incomplete";
  // Waits for a deletion of the account, and comes before the next one.
  const [account] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, patient.patientId), eq(users.status, "active")))
    .for("key share");
  if (!account) return "patient-incomplete";
  const [slot] = await lockSlot(tx, of);
  if (!slot || hasStarted(tx.now, slot)) return "time-closed";
  if (slot.isFull) return "time-taken";
  const id = randomUUID();
  const { age, birthDate } = bookedAge({ dateOfBirth: patient.birthDate }, slot.date);
  const fee = of.row.fee ?? (slot.fee === null ? null : paise(slot.fee));
  try {
    await transact(tx, (inner) =>
      inner.db.insert(appointments).values({
        id,
        patientId: patient.patientId!,
        doctorId: of.doctorId,
        practiceId: slot.practiceId,
        date: slot.date,
        time: slot.time,
        minutes: slot.minutes,
        status: "accepted",
        reason: sealed(appointments.reason, id, NO_REASON),
        patientName: patient.name,
        patientPhone: patient.phone!,
        patientAge: age,
        patientBirthDate: patient.birthAbout ? null : birthDate,
        patientGender: patient.gender!,
        fee,
        refundHours: refundHoursAtBooking({ doctorId: of.doctorId, practiceId: slot.practiceId }),
        paymentReference: newReferenceCode("ND"),
        idempotencyKey: `import-${id}`,
        forCaller: true,
        acceptedAt: tx.now,
        createdAt: tx.now,
        updatedAt: tx.now,
      }),
    );
  } catch (error) {
    // Another booking took the time between the query and the insert.
    if (violatedConstraint(error) !== null) return "time-taken";
    throw error;
  }
  return { id, patientId: patient.patientId, doctorId: of.doctorId, place: slot.hospitalId, date: slot.date, time: slot.time };
}

const lockSlot = (tx: Ctx, { clinic, doctorId, row }: Wanted) =>
  tx.db
    .select({
      date: availabilitySlots.date,
      time: sql<string>`to_char(${availabilitySlots.time}, 'HH24:MI')`,
      minutes: availabilitySlots.minutes,
      practiceId: availabilitySlots.practiceId,
      fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
      hospitalId: doctors.hospitalId,
      isFull: fullSlot(availabilitySlots),
    })
    .from(availabilitySlots)
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        eq(availabilitySlots.date, row.date),
        eq(availabilitySlots.tokens, false),
        eq(practices.state, "active"),
        isPracticeOf(clinic),
        eq(availabilitySlots.time, row.time ?? ""),
      ),
    )
    .for("key share", { of: availabilitySlots });

/** Records what follows from bookings of a transaction, once for all of them. No one is notified of an import. */
export async function recordBookings(tx: Ctx<Actor>, bookings: readonly ImportedBooking[]): Promise<void> {
  const shared = ({ id, patientId, doctorId, place }: ImportedBooking) => ({
    subject: { appointment: id },
    people: { patient: patientId, doctor: doctorId, actor: doctorId },
    place,
  });
  await recordChanges(
    tx,
    "appointment.book",
    bookings.map((booking) => ({
      ...shared(booking),
      data: { to: "pending", date: booking.date, time: booking.time },
      notify: { doctor: null },
    })),
  );
  await recordChanges(
    tx,
    "appointment.accept",
    bookings.map((booking) => ({
      ...shared(booking),
      data: { to: "accepted", date: booking.date, time: booking.time },
      notify: { patient: null },
    })),
  );
}
