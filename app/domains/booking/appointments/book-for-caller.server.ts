import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, doctors, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { isVisitOf } from "#app/db/schema/visit-of-clinic.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { ensureCallersAccount } from "#app/domains/platform/accounts/unclaimed-account.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { birthDateOfKnown, type KnownPerson, type Typed } from "#app/domains/waiting-room/queue/known-person.ts";
import { MOST_KNOWN, withRegistered } from "#app/domains/waiting-room/queue/registered-people.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type Booked, insertBooking, isSeatTaken, SlotGone, slotTaken } from "./book-appointment.server.ts";
import { readCallerView } from "./caller-times.server.ts";
import type { CallerView } from "./caller-times.ts";
import { changeState } from "./change-appointment.server.ts";
import { NO_REASON } from "./choices.ts";
import type { ProposedTime } from "./proposal-times.ts";

/** Where an appointment for a caller is booked. `hospitalId`: the member's place; null: the acting doctor books in their own practices. */
export type CallerDesk = { hospitalId: string | null; doctorId: string };

/** @throws DomainError("not-found" | "forbidden") */
async function actForCaller(ctx: Ctx<Actor>, { hospitalId, doctorId }: CallerDesk): Promise<Ctx<Actor>> {
  if (hospitalId !== null) return requireActing(ctx, hospitalId, "change-appointments", doctorId);
  if (ctx.actor.role !== "doctor" || ctx.actor.userId !== doctorId) throw new DomainError("not-found");
  return ctx;
}

/** SQL: the practice is at this place; any practice of the doctor without one. */
const atPlace = (hospitalId: string | null): SQL | undefined => (hospitalId === null ? undefined : eq(placeOfPractice, hospitalId));

/** Returns the free times that `bookForCaller` can book. @throws DomainError("not-found" | "forbidden") */
export async function viewTimesForCaller(ctx: Ctx<Actor>, desk: CallerDesk, day: string | null): Promise<CallerView> {
  const acting = await actForCaller(ctx, desk);
  const { hospitalId, doctorId } = desk;
  return readCallerView(acting, { doctorId, ...(hospitalId && { placeId: hospitalId }) }, { day });
}

export type CallerBooking = CallerDesk & {
  at: ProposedTime;
  phone: Phone;
  name: string;
  age?: number | undefined;
  dateOfBirth?: DateKey | undefined;
  gender: Gender;
  /** The form's key: a second press returns the first appointment. */
  idempotencyKey: string;
};

/**
 * Books a free time for a patient on the phone, accepted at once. The appointment belongs to the account of the phone. An unknown phone gets an
 * unclaimed account. The answer is the same for both, so that a member learns nothing about an account. The patient is notified by SMS.
 * @throws DomainError("slot-taken" with nearest free slots | "not-found" | "forbidden" | "conflict" | "too-many")
 */
export async function bookForCaller(ctx: Ctx<Actor>, input: CallerBooking): Promise<Booked> {
  const { hospitalId, doctorId, at, phone, name, age, gender } = input;
  const acting = await actForCaller(ctx, input);
  // A stored birth date takes precedence over a typed age.
  const known = input.dateOfBirth === undefined ? await listKnownCallers(ctx, { hospitalId, doctorIds: [doctorId], phone }) : [];
  const dateOfBirth = input.dateOfBirth ?? birthDateOfKnown(known, name) ?? undefined;
  const idempotencyKey = `caller-${input.idempotencyKey}`;
  const again = () => findBefore(ctx, { doctorId, phone, idempotencyKey });
  const earlier = await again();
  if (earlier) return earlier;
  await spendLimits(ctx, [
    { limit: "caller-booking", key: ctx.actor.userId },
    { limit: "caller-booking-phone", key: phone },
  ]);
  const practiceId = await findPractice(ctx, input);
  const taken = (sentence: string) => slotTaken(ctx, { doctorId, ...(practiceId && { practiceId }), ...at }, sentence);
  if (hasStarted(ctx.now, at)) throw await taken(m.appointments_slot_past());
  if (!practiceId) throw await taken(m.appointments_slot_not_offered());
  try {
    return await transact(acting, async (tx) => {
      // Again inside the transaction: the member may have been removed meanwhile.
      await actForCaller(tx, { hospitalId, doctorId });
      const account = await ensureCallersAccount(tx, phone);
      const wish = {
        doctorId,
        practiceId,
        ...at,
        phone,
        name,
        age,
        dateOfBirth,
        gender,
        reason: NO_REASON,
        records: [],
        idempotencyKey,
      };
      // An unclaimed account has no settings yet: an SMS is the only way to send it other times.
      const booked = await insertBooking(tx, { ...wish, smsUpdates: account.unclaimed }, account.id);
      await changeState(tx, booked.id, "accept", { acceptedAt: tx.now }, { kind: "appointment-booked-for-you" });
      return booked;
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    // A second press meets any of them first.
    if (constraint === "appointments_idempotency" || constraint === "appointments_once_per_patient" || isSeatTaken(constraint)) {
      const first = await again();
      if (first) return first;
    }
    if (constraint === "appointments_once_per_patient") throw await taken(m.caller_has_time());
    if (isSeatTaken(constraint)) throw await taken(m.appointments_slot_taken());
    // The time was removed, or moved to another practice.
    if (error instanceof SlotGone) throw await taken(error.message);
    throw error;
  }
}

/** Returns the practice whose time it is, at the place. */
async function findPractice(ctx: Ctx, { hospitalId, doctorId, at }: CallerBooking): Promise<string | null> {
  const [slot] = await ctx.db
    .select({ id: availabilitySlots.practiceId })
    .from(availabilitySlots)
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        eq(availabilitySlots.date, at.date),
        eq(availabilitySlots.time, at.time),
        atPlace(hospitalId),
      ),
    );
  return slot?.id ?? null;
}

/** Returns the appointment that this form booked before. */
async function findBefore(ctx: Ctx, of: { doctorId: string; phone: Phone; idempotencyKey: string }): Promise<Booked | null> {
  const [row] = await ctx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.idempotencyKey, of.idempotencyKey),
        eq(appointments.doctorId, of.doctorId),
        eq(appointments.patientPhone, of.phone),
        appointments.forCaller,
      ),
    );
  return row ?? null;
}

type CallersOf = { hospitalId: string | null; doctorIds: string[] };

/**
 * Returns the patients of a phone who had an appointment with these doctors at the place, latest first: what the agenda of the place shows
 * anyway. Then those whom the clinic has imported, also by a part of the name. Nothing of the account is read.
 * @throws DomainError("not-found" | "forbidden" | "too-many" | "invalid")
 */
export async function findKnownCallers(ctx: Ctx<Actor>, { hospitalId, doctorIds, ...typed }: CallersOf & Typed): Promise<KnownPerson[]> {
  let acting = ctx;
  for (const doctorId of doctorIds) acting = await actForCaller(ctx, { hospitalId, doctorId });
  const [doctorId] = doctorIds;
  if (!doctorId || !doctorIds.every(isUuid)) return [];
  const seen = typed.phone ? await listKnownCallers(ctx, { hospitalId, doctorIds, phone: typed.phone }) : [];
  return withRegistered(acting, hospitalId === null ? { doctorId } : { hospitalId }, typed, seen);
}

const listKnownCallers = (ctx: Ctx, { hospitalId, doctorIds, phone }: CallersOf & { phone: Phone }): Promise<KnownPerson[]> =>
  ctx.db
    .select({
      name: appointments.patientName,
      age: sql<number>`max(${appointments.patientAge})`,
      birthDate: sql<DateKey | null>`max(${appointments.patientBirthDate})::text`,
      gender: sql<Gender>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .where(
      and(
        inArray(appointments.doctorId, doctorIds),
        eq(appointments.patientPhone, phone),
        hospitalId === null ? undefined : isVisitOf(hospitalId),
      ),
    )
    .groupBy(appointments.patientName)
    .orderBy(desc(sql`max(${appointments.date})`), appointments.patientName)
    .limit(MOST_KNOWN);
