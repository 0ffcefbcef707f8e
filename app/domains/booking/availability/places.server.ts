import { and, eq, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { availabilitySlots, doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

export type BookablePlace = { practiceId: string; hospitalName: string | null; city: string | null; fee: number | null };

const place = () => ({
  practiceId: practices.id,
  hospitalName: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
  city: hospitals.city,
  fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
});

/** Returns the places of a doctor that have times from now on, in the order of their next time. */
export async function listBookablePlaces(ctx: Ctx, doctorId: string): Promise<BookablePlace[]> {
  const next = ctx.db
    .select({ practiceId: availabilitySlots.practiceId, at: sql`min(${availabilitySlots.date} + ${availabilitySlots.time})`.as("at") })
    .from(availabilitySlots)
    .where(and(eq(availabilitySlots.doctorId, doctorId), startsLater(availabilitySlots, minuteInIndia(ctx.now))))
    .groupBy(availabilitySlots.practiceId)
    .as("next");
  return ctx.db
    .select(place())
    .from(next)
    .innerJoin(practices, eq(practices.id, next.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .orderBy(next.at);
}

/** Returns the place of a doctor's time; null when the doctor does not offer it. */
export async function findPlaceOfSlot(ctx: Ctx, slot: { doctorId: string; date: string; time: string }): Promise<BookablePlace | null> {
  const [row] = await ctx.db
    .select(place())
    .from(availabilitySlots)
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(
      and(eq(availabilitySlots.doctorId, slot.doctorId), eq(availabilitySlots.date, slot.date), eq(availabilitySlots.time, slot.time)),
    );
  return row ?? null;
}

/** Returns a bookable doctor with the hospital and the fee of this time; null for a doctor who cannot be booked. */
export async function findDoctorOfSlot(ctx: Ctx, slot: { doctorId: string | null; date: string; time: string }) {
  const doctor = await findBookableDoctor(ctx, slot.doctorId);
  // Without its place the time is not offered any more. The page says so.
  const place = doctor?.severalPlaces ? await findPlaceOfSlot(ctx, { ...slot, doctorId: doctor.id }) : null;
  return doctor && place ? { ...doctor, hospitalName: place.hospitalName, fee: place.fee } : doctor;
}

/**
 * Checks that patients can book a doctor in a practice. A practice that waits for its place is as unknown as another doctor's.
 * @throws DomainError("not-found")
 */
export async function requireBookablePractice(ctx: Ctx, of: { doctorId: string; practiceId: string }): Promise<void> {
  const state = await findPracticeState(ctx, of);
  if (state === "active") return;
  throw notFound(state === "closed" ? m.availability_place_closed() : m.availability_place_not_of_doctor());
}

/** Checks that a practice is the acting doctor's, open or closed. @throws DomainError("not-found") */
export async function requireOwnPractice(ctx: Ctx<Actor>, practiceId: string): Promise<void> {
  if (await findPracticeState(ctx, { doctorId: ctx.actor.userId, practiceId })) return;
  throw notFound(m.availability_place_unknown());
}

const notFound = (sentence: string) => new DomainError("not-found", sentence, { fields: { practiceId: [sentence] } });

async function findPracticeState(ctx: Ctx, { doctorId, practiceId }: { doctorId: string; practiceId: string }) {
  const [row] = await ctx.db
    .select({ state: practices.state })
    .from(practices)
    .where(and(eq(practices.id, practiceId), eq(practices.doctorId, doctorId)));
  return row?.state ?? null;
}
