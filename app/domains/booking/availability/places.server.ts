import { and, eq, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { availabilitySlots, doctors, hospitals, practices } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { language } from "#app/lib/language.ts";

export type BookablePlace = { practiceId: string; hospitalName: string | null; city: string | null; fee: number | null };

const place = () => ({
  practiceId: practices.id,
  hospitalName: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
  city: hospitals.city,
  fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
});
const ofPractice = sql`coalesce(${practices.hospitalId}, ${doctors.hospitalId})`;

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
    .leftJoin(hospitals, eq(hospitals.id, ofPractice))
    .orderBy(next.at);
}

/** Returns the place of a doctor's time; null when the doctor does not offer it. */
export async function findPlaceOfSlot(ctx: Ctx, slot: { doctorId: string; date: string; time: string }): Promise<BookablePlace | null> {
  const [row] = await ctx.db
    .select(place())
    .from(availabilitySlots)
    .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, ofPractice))
    .where(
      and(eq(availabilitySlots.doctorId, slot.doctorId), eq(availabilitySlots.date, slot.date), eq(availabilitySlots.time, slot.time)),
    );
  return row ?? null;
}
