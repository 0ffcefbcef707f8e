import { randomUUID } from "node:crypto";
import { and, eq, inArray, ne, not, or, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctorNames } from "#app/db/in-language.server.ts";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { appointments, availabilitySlots, bookingDrafts, doctors, files, medicalRecords, practices } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { isPrepaid, prepayUntilAtBooking, refundHoursAtBooking } from "#app/domains/booking/cancellation/policies.server.ts";
import { type Actor, actsForDoctor, type Ctx, transact } from "#app/domains/context.server.ts";
import { findStoredBirthDate } from "#app/domains/patients/family/stored-birth-date.server.ts";
import { fillProfile, findProfileToFill } from "#app/domains/patients/profile/fill-profile.server.ts";
import { attachCode, hasReadyCode, takeCode } from "#app/domains/patients/wallet/apply-code.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { refundLimits, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { requireBirthDate } from "#app/domains/platform/users/age.schema.ts";
import { bookedAge } from "#app/domains/platform/users/booked-age.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { CHANGE_HOURS, hasStarted } from "#app/domains/visit-time.ts";
import { addTokenEntry, reserveToken } from "#app/domains/waiting-room/queue/book-token.server.ts";
import { tokenNotice } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { newReferenceCode } from "#app/lib/ids.server.ts";
import { paise } from "#app/lib/money.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { listNearestFree, sessionColumns } from "../availability/queries.server.ts";
import { offerOf, type SessionOffer } from "../availability/session-offer.ts";
import type { BookAppointment } from "./appointments.schema.ts";
import type { SlotProblem } from "./choices.ts";

export type Booked = { id: string };
/** Details of a "slot-taken" error. */
export type SlotTaken = { nearest: { date: string; time: string }[] };

/**
 * Books a slot for the acting patient, with the documents they have uploaded. The insert alone reserves the slot: its
 * trigger takes a seat of the time, and the key of `slot_claims` allows one claim for each. Idempotent: a second press, a retry, or the same patient and slot
 * return the first booking. The first booking for "Myself" fills the profile. Throws a conflict if the key was used for another doctor, slot or patient.
 * @throws DomainError("slot-taken" with nearest free slots | "conflict" | "not-found" | "invalid" | "too-many")
 */
export async function bookAppointment(ctx: Ctx<Actor>, typed: BookAppointment): Promise<Booked> {
  const patientId = ctx.actor.userId;
  // A stored birth date takes precedence over a typed age.
  const dateOfBirth = typed.dateOfBirth ?? (await findStoredBirthDate(ctx, typed)) ?? undefined;
  const input: BookAppointment = { ...typed, dateOfBirth };
  const [earlier, profile, [offered]] = await Promise.all([
    findByKey(ctx, input),
    typed.forWhom === "me" ? findProfileToFill(ctx, typed) : null,
    ctx.db
      .select({ full: fullSlot(availabilitySlots) })
      .from(availabilitySlots)
      .innerJoin(doctors, and(eq(doctors.id, availabilitySlots.doctorId), listedDoctor(doctors)))
      .where(isSlot(input)),
  ]);
  if (earlier) return again(ctx, input, earlier);
  // When many patients press at once, all but one are refused here, without a transaction and without spending the limit.
  if (offered?.full && !hasStarted(ctx.now, input)) {
    const own = await findOwn(ctx, input);
    if (own) return again(ctx, input, own);
    throw await slotTaken(ctx, input, m.appointments_slot_taken());
  }
  const spent = await spendLimits(ctx, [{ limit: "booking", key: patientId }]);
  try {
    return await transact(ctx, async (tx) => {
      const booked = await insertBooking(tx, input);
      if (profile) await fillProfile(tx, profile, typed);
      await forgetDraft(tx, input.doctorId);
      return booked;
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "appointments_idempotency") {
      // A retry does not count against the limit.
      await refundLimits(ctx, spent);
      const first = await findByKey(ctx, input);
      if (first) return again(ctx, input, first);
    }
    if (isSeatTaken(constraint) || constraint === "appointments_once_per_patient") {
      const own = await findOwn(ctx, input);
      if (own) {
        await refundLimits(ctx, spent);
        return again(ctx, input, own);
      }
      throw await slotTaken(ctx, input, m.appointments_slot_taken());
    }
    if (error instanceof SlotGone) throw await slotTaken(ctx, input, error.message);
    throw error;
  }
}

/**
 * Returns the first booking for a second press. Clears the draft of that press, so that the next booking does not start with it.
 */
async function again(ctx: Ctx<Actor>, { doctorId }: BookAppointment, first: Booked): Promise<Booked> {
  await forgetDraft(ctx, doctorId);
  return first;
}
const forgetDraft = (ctx: Ctx<Actor>, doctorId: string) =>
  ctx.db.delete(bookingDrafts).where(and(eq(bookingDrafts.patientId, ctx.actor.userId), eq(bookingDrafts.doctorId, doctorId)));

/** Returns true for the constraints that limit a time: its seats, and for tokens those of the session. */
export const isSeatTaken = (constraint: string | null): boolean =>
  constraint === "slot_claims_one_per_seat" || constraint === "queue_sessions_seats_taken";

const isSlot = ({ doctorId, date, time }: { doctorId: string; date: string; time: string }) =>
  and(eq(availabilitySlots.doctorId, doctorId), eq(availabilitySlots.date, date), eq(availabilitySlots.time, time));

/** The message is shown to the patient. */
export class SlotGone extends Error {}

/** Returns a "slot-taken" error with the nearest free slots. */
export async function slotTaken(
  ctx: Ctx,
  wish: { doctorId: string; practiceId?: string | undefined; date: string; time: string },
  sentence: string,
): Promise<DomainError> {
  const detail: SlotTaken = { nearest: await listNearestFree(ctx, wish.doctorId, wish) };
  return new DomainError("slot-taken", sentence, { detail });
}

/**
 * `problem`: what hinders the acting patient from booking; null: nothing. `session`: of a slot that gives tokens. `prepaid` and `refundHours`: what an
 * appointment gets that is booked now.
 */
type FoundSlot = { problem: SlotProblem | null; session: SessionOffer | null; prepaid: boolean; refundHours: number };

/** Returns what a patient needs to know of a slot before they fill in the form. */
export async function findSlot(ctx: Ctx<Actor>, slot: { doctorId: string; date: string; time: string }): Promise<FoundSlot> {
  const { doctorId, date, time } = slot;
  const rulesOf = { doctorId, practiceId: availabilitySlots.practiceId };
  const [[offered], own] = await Promise.all([
    ctx.db
      .select({
        full: fullSlot(availabilitySlots),
        prepaid: isPrepaid(ctx, rulesOf),
        refundHours: refundHoursAtBooking(rulesOf),
        ...sessionColumns,
      })
      .from(availabilitySlots)
      .where(isSlot({ doctorId, date, time })),
    findOwn(ctx, slot),
  ]);
  // A time with seats left can be booked again, for another child.
  const { prepaid = false, refundHours = CHANGE_HOURS } = offered ?? {};
  const found = { session: null, prepaid, refundHours };
  if (own && offered?.full !== false) return { ...found, problem: { own: own.id } };
  const sentence = hasStarted(ctx.now, slot)
    ? m.appointments_slot_past()
    : !offered
      ? m.appointments_slot_not_offered()
      : offered.full
        ? m.appointments_slot_booked()
        : null;
  if (sentence !== null) return { ...found, problem: { own: null, sentence, nearest: await listNearestFree(ctx, doctorId, slot) } };
  const { taken = null, last = null, minutes = 0, seats = 0 } = offered ?? {};
  return { ...found, problem: null, session: taken === null ? null : offerOf({ time, minutes, seats }, taken, last) };
}

/**
 * Books in the transaction of `tx`, without the limit and without converting errors. An unfinished booking stays.
 * @param callerId the account of a caller for whom the doctor or a member books: their wallet stays as it is
 */
export async function insertBooking(tx: Ctx<Actor>, input: BookAppointment, callerId?: string): Promise<Booked> {
  const { doctorId, date, time } = input;
  const forCaller = callerId !== undefined;
  const patientId = callerId ?? tx.actor.userId;
  // Concurrent queries take one round trip.
  const [[doctor], [offered], withCode] = await Promise.all([
    tx.db
      .select({ ...doctorNames, fee: doctors.consultationFee, category: doctors.category, hospitalId: doctors.hospitalId })
      .from(doctors)
      .where(and(eq(doctors.id, doctorId), listedDoctor(doctors))),
    // The lock stops the doctor from removing the slot during the booking.
    tx.db
      .select({
        practiceId: practices.id,
        fee: practices.fee,
        minutes: availabilitySlots.minutes,
        seats: availabilitySlots.seats,
        tokens: availabilitySlots.tokens,
      })
      .from(availabilitySlots)
      .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
      .where(isSlot({ doctorId, date, time }))
      .for("key share", { of: availabilitySlots }),
    forCaller ? false : hasReadyCode(tx),
    // Without this check a booking could be created while the account is being deleted. The account of a caller is locked already.
    forCaller ? undefined : requireOpenAccount(tx),
  ]);
  if (!doctor) throw new DomainError("not-found");
  // Refuses a past slot.
  if (hasStarted(tx.now, { date, time })) throw new SlotGone(m.appointments_slot_past());
  if (!offered || (input.practiceId && input.practiceId !== offered.practiceId)) throw new SlotGone(m.appointments_slot_not_offered());
  const given = offered.fee ?? doctor.fee;
  const fee = given === null ? null : paise(given);
  const code = withCode ? await takeCode(tx, { ...doctor, fee }) : null;
  const id = randomUUID();
  const { name, phone, gender } = input;
  requireBirthDate(input.dateOfBirth, todayInIndia(tx.now));
  const { age, birthDate } = bookedAge(input, date);
  const reserved = offered.tokens
    ? await reserveToken(tx, { ...offered, date, time }, { patientId, name, phone, age, birthDate, gender })
    : null;
  await tx.db.insert(appointments).values({
    id,
    ...reserved?.columns,
    patientId,
    doctorId,
    practiceId: offered.practiceId,
    date,
    time,
    minutes: offered.minutes,
    reason: sealed(appointments.reason, id, input.reason),
    patientName: name,
    patientPhone: phone,
    patientAge: age,
    patientBirthDate: birthDate,
    patientGender: gender,
    bloodGroup: sealed(appointments.bloodGroup, id, input.bloodGroup ?? null),
    medicalHistory: sealed(appointments.medicalHistory, id, input.medicalHistory ?? null),
    patientNote: sealed(appointments.patientNote, id, input.note ?? null),
    fee,
    discount: code?.discount ?? paise(0),
    refundHours: refundHoursAtBooking({ doctorId, practiceId: offered.practiceId }),
    // A caller pays at the clinic.
    prepayUntil:
      !forCaller && fee !== null && fee > (code?.discount ?? 0)
        ? prepayUntilAtBooking(tx, { doctorId, practiceId: offered.practiceId })
        : null,
    paymentReference: newReferenceCode("ND"),
    idempotencyKey: input.idempotencyKey,
    smsUpdates: input.smsUpdates ?? false,
    forCaller,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  if (reserved) await addTokenEntry(tx, reserved, id);
  await attachRecords(tx, id, input.records);
  if (code) await attachCode(tx, code, id);
  const notice = {
    kind: actsForDoctor(tx.actor) ? "appointment-booked-by-clinic" : "appointment-booked",
    params: { ...doctorParams(doctor), patient: input.name, date, time, ...(await tokenNotice(tx, id, reserved?.columns)) },
    target: { page: "doctor-visit", id },
  } as const;
  await recordChange(tx, "appointment.book", {
    subject: { appointment: id },
    people: { patient: patientId, doctor: doctorId },
    place: doctor.hospitalId,
    data: { to: "pending", date, time },
    details: {
      doctorId,
      date,
      time,
      ...(reserved && { number: reserved.columns.token }),
      records: input.records.length,
      ...(code && { discount: code.discount }),
    },
    // A doctor who books for a caller knows it.
    notify: { doctor: tx.actor.userId === doctorId ? null : notice },
  });
  return { id };
}

/** Attaches files. Throws if a file is not the actor's, not pending or not a medical record. */
async function attachRecords(tx: Ctx<Actor>, appointmentId: string, records: BookAppointment["records"]): Promise<void> {
  if (!records.length) return;
  const ids = records.map((r) => r.fileId);
  const attached = await tx.db
    .update(files)
    .set({ status: "attached" })
    .where(
      and(inArray(files.id, ids), eq(files.ownerId, tx.actor.userId), eq(files.status, "pending"), eq(files.purpose, "medical-record")),
    )
    .returning({ id: files.id, name: opened(files.originalName) });
  const names = new Map(attached.map((f) => [f.id, f.name]));
  if (names.size !== new Set(ids).size || names.size !== ids.length)
    throw new DomainError("invalid", m.appointments_records_gone(), { fields: { records: [m.appointments_records_gone()] } });
  await tx.db.insert(medicalRecords).values(
    records.map((r) => {
      const id = randomUUID();
      const description = sealed(medicalRecords.description, id, r.description ?? names.get(r.fileId)!);
      return { id, appointmentId, fileId: r.fileId, recordType: r.recordType, description, createdAt: tx.now };
    }),
  );
}

/**
 * Returns the booking made with this key, also after it was rescheduled.
 * @throws DomainError("conflict") if it is of another doctor or patient, or of another slot and was not rescheduled
 */
async function findByKey(ctx: Ctx<Actor>, input: BookAppointment): Promise<Booked | null> {
  const [row] = await ctx.db
    .select({
      id: appointments.id,
      doctorId: appointments.doctorId,
      date: appointments.date,
      time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      age: appointments.patientAge,
      gender: appointments.patientGender,
      moved: sql<boolean>`exists (select 1 from audit_log a where a.subject_type = 'appointment' and a.subject_id = appointments.id::text and a.action = 'reschedule-appointment')`,
    })
    .from(appointments)
    .where(and(eq(appointments.patientId, ctx.actor.userId), eq(appointments.idempotencyKey, input.idempotencyKey)));
  if (!row) return null;
  const asked = ["doctorId", "name", "phone", "age", "gender", ...(row.moved ? [] : (["date", "time"] as const))] as const;
  const again = { ...input, age: bookedAge(input, input.date).age };
  if (asked.some((field) => row[field] !== again[field])) throw new DomainError("conflict", m.appointments_key_reused());
  return { id: row.id };
}
/**
 * Returns the actor's own booking of a slot. `name`: of this patient, where the slot has several seats, because another child of the family is
 * another booking.
 */
async function findOwn(ctx: Ctx<Actor>, slot: { doctorId: string; date: string; time: string; name?: string }): Promise<Booked | null> {
  const hasSeats = sql`exists (select from availability_slots s where s.doctor_id = ${slot.doctorId} and s.date = ${slot.date} and s.time = ${slot.time} and s.seats > 1)`;
  const [row] = await ctx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.patientId, ctx.actor.userId),
        eq(appointments.doctorId, slot.doctorId),
        eq(appointments.date, slot.date),
        eq(appointments.time, slot.time),
        ne(appointments.status, "cancelled"),
        slot.name === undefined ? undefined : or(eq(appointments.patientName, slot.name), not(hasSeats)),
      ),
    );
  return row ?? null;
}
