import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, practiceHours, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";

/**
 * Returns where a verified doctor sees patients, the first practice first, with fee and weekly hours. Doctors see their own also while they wait
 * for a place to accept them. null for an unknown doctor.
 */
export async function listPracticesOfDoctor(ctx: Ctx, doctorId: string) {
  if (!isUuid(doctorId)) return null;
  const own = ctx.actor?.userId === doctorId;
  const spoken = language();
  const there = (value: SQL) => sql<string | null>`${value}`;
  const rows = await ctx.db
    .select({
      id: practices.id,
      doctorId: practices.doctorId,
      state: practices.state,
      hospitalId: hospitals.id,
      /** A place without a public page. */
      hospitalListed: sql<boolean>`coalesce(${listedHospital(hospitals)}, false)`,
      name: there(inLanguage(hospitals.name, hospitals.translations, "name", spoken)),
      address: there(inLanguage(hospitals.address, hospitals.translations, "address", spoken)),
      phone: hospitals.phone,
      city: sql<string>`coalesce(${hospitals.city}, ${doctors.city})`,
      region: sql<string>`coalesce(${hospitals.state}, ${doctors.state})`,
      latitude: hospitals.latitude,
      longitude: hospitals.longitude,
      /** Paise; null: none given. */
      fee: sql<number | null>`coalesce(${practices.fee}, ${doctors.consultationFee})::float8`,
      slotMinutes: practices.slotMinutes,
      patientsPerSlot: practices.patientsPerSlot,
      mode: practices.mode,
    })
    .from(doctors)
    .innerJoin(practices, eq(practices.doctorId, doctors.id))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(
      and(
        eq(doctors.id, doctorId),
        own ? undefined : listedDoctor(doctors),
        inArray(practices.state, own ? ["active", "asked"] : ["active"]),
      ),
    )
    .orderBy(sql`${practices.id} <> ${practices.doctorId}`, asc(practices.createdAt), asc(practices.id));
  if (!rows.length) return null;
  const spans = await ctx.db
    .select({ practiceId: practiceHours.practiceId, weekday: practiceHours.weekday, from: practiceHours.from, until: practiceHours.until })
    .from(practiceHours)
    .where(eq(practiceHours.doctorId, doctorId))
    .orderBy(asc(practiceHours.weekday), asc(practiceHours.from));
  const hoursOf = Map.groupBy(spans, ({ practiceId }) => practiceId);
  return rows.map((row) => ({
    ...row,
    isFirst: row.id === row.doctorId,
    hours: (hoursOf.get(row.id) ?? []).map(({ weekday, from, until }) => ({ weekday, from: from.slice(0, 5), until: until.slice(0, 5) })),
  }));
}
