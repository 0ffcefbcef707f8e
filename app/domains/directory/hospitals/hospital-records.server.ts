import { asc, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";

// Written in full: drizzle omits the table in a one-table select.
const doctorsOf = sql<{ id: string; name: string }[]>`(
  select coalesce(json_agg(json_build_object('id', d.id, 'name', d.full_name) order by d.full_name), '[]'::json)
  from doctors d where (d.hospital_id = hospitals.id or d.id in (select l.doctor_id from doctor_places l where l.hospital_id = hospitals.id)) and ${listedDoctor({ registrationStatus: sql`d.registration_status` })})`;

/** Returns confirmed hospitals with their verified doctors by name, for apps with their own search (spec 001 §7). */
export async function listHospitalRecords(ctx: Ctx, input: { limit: number; offset: number }) {
  const rows = await ctx.db
    .select({
      id: hospitals.id,
      name: hospitals.name,
      category: hospitals.category,
      specialties: hospitals.specialties,
      address: hospitals.address,
      area: hospitals.area,
      city: hospitals.city,
      state: hospitals.state,
      latitude: hospitals.latitude,
      longitude: hospitals.longitude,
      phone: hospitals.phone,
      email: hospitals.email,
      about: hospitals.about,
      workingHours: hospitals.workingHours,
      ratingSum: hospitals.ratingSum,
      ratingCount: hospitals.ratingCount,
      isDemo: hospitals.isDemo,
      doctors: doctorsOf,
    })
    .from(hospitals)
    .where(listedHospital(hospitals))
    .orderBy(asc(hospitals.name), asc(hospitals.id))
    .limit(input.limit + 1)
    .offset(input.offset);
  return { rows: rows.slice(0, input.limit), hasMore: rows.length > input.limit };
}
export type HospitalRecord = Awaited<ReturnType<typeof listHospitalRecords>>["rows"][number];
