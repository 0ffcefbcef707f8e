import { and, asc, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Ctx } from "../context.server.ts";
import { byDistance, kilometres, type Near, roundKm } from "../directory/near.ts";
import { ratingOf } from "../directory/rating.ts";
import type { HospitalCard } from "./hospital-card.ts";

export const HOSPITAL_SORTS = ["default", "name", "distance", "review", "doctors", "liked"] as const;
export type HospitalSort = (typeof HOSPITAL_SORTS)[number];
/** Spec 001 §4.7: with at least one (verified) doctor, or with none. */
export const HOSPITAL_FILTERS = ["available", "none"] as const;
export type HospitalFilter = (typeof HOSPITAL_FILTERS)[number];

export type HospitalSearch = {
  /** Any words of name, kind, specialties and address. */
  text?: string;
  /** One of the categories of domains/doctors/specialties.ts: it treats this, or a doctor of this category works there. */
  category?: string;
  filter?: HospitalFilter;
  sort?: HospitalSort;
  /** Left out: the way one would want it first (nearest, best, most). */
  direction?: "asc" | "desc";
  near: Near;
  limit: number;
  offset?: number;
};

const theirDoctors = sql`${doctors} where ${doctors.hospitalId} = ${hospitals.id} and ${doctors.registrationStatus} = 'verified'`;
const doctorCount = sql<number>`(select count(*)::int from ${theirDoctors})`;

/** Active hospitals as cards, and how many match in all. */
export async function listHospitals(ctx: Ctx, search: HospitalSearch): Promise<{ hospitals: HospitalCard[]; total: number }> {
  const { sort = "default" } = search;
  const direction = search.direction ?? (sort === "review" || sort === "doctors" || sort === "liked" ? "desc" : "asc");
  const filters: (SQL | undefined)[] = [eq(hospitals.status, "active")];
  if (search.text)
    filters.push(
      sql`concat_ws(' ', ${hospitals.name}, ${hospitals.category}, array_to_string(${hospitals.specialties}, ' '), ${hospitals.address}, ${hospitals.area}, ${hospitals.city}) ilike ${sql.placeholder("text")}`,
    );
  if (search.category)
    filters.push(
      or(
        sql`${sql.placeholder("category")} = any(${hospitals.specialties})`,
        sql`exists (select from ${theirDoctors} and ${doctors.category} = ${sql.placeholder("category")})`,
      ),
    );
  if (search.filter === "available") filters.push(sql`exists (select from ${theirDoctors})`);
  if (search.filter === "none") filters.push(sql`not exists (select from ${theirDoctors})`);
  const way = direction === "desc" ? desc : asc;
  const average = sql`${hospitals.ratingSum}::float8 / nullif(${hospitals.ratingCount}, 0)`;
  const order = {
    default: [way(hospitals.name)],
    name: [way(hospitals.name)],
    distance: [way(byDistance(hospitals.latitude, hospitals.longitude))],
    review: [sql`${way(average)} nulls last`, desc(hospitals.ratingCount)],
    doctors: [way(doctorCount)],
    liked: [way(hospitals.name)],
  }[sort];
  const shape = `list_hospitals_${[search.text && "t", search.category && "c", search.filter].filter(Boolean).join("_")}_${sort}_${direction}`;
  const query = hot(ctx.db, shape, (db) =>
    db
      .select({
        id: hospitals.id,
        name: hospitals.name,
        kind: hospitals.category,
        specialties: hospitals.specialties,
        address: hospitals.address,
        area: hospitals.area,
        city: hospitals.city,
        phone: hospitals.phone,
        ratingSum: hospitals.ratingSum,
        ratingCount: hospitals.ratingCount,
        isDemo: hospitals.isDemo,
        doctors: doctorCount,
        distance: kilometres(hospitals.latitude, hospitals.longitude),
        total: sql<number>`(count(*) over ())::int`,
      })
      .from(hospitals)
      .where(and(...filters))
      .orderBy(...order, asc(hospitals.name), asc(hospitals.id))
      .limit(sql.placeholder("limit"))
      .offset(sql.placeholder("offset"))
      .prepare(shape),
  );
  const rows = await query.execute({
    text: `%${(search.text ?? "").replace(/[\\%_]/g, "\\$&")}%`,
    category: search.category,
    latitude: search.near.latitude,
    longitude: search.near.longitude,
    limit: search.limit,
    offset: search.offset ?? 0,
  });
  return {
    total: rows[0]?.total ?? 0,
    hospitals: rows.map(({ distance, total: _, ratingSum, ratingCount, ...row }) => ({
      ...row,
      rating: ratingOf({ ratingSum, ratingCount }),
      distanceKm: roundKm(distance),
    })),
  };
}

/** A hospital's public page. @throws DomainError("not-found") unless it is active or was merged; then `mergedInto` is where to go. */
export async function getPublicHospital(ctx: Ctx, id: string | undefined) {
  const notFound = () => new DomainError("not-found", m.directory_hospital_not_found());
  if (!isUuid(id)) throw notFound();
  const query = hot(ctx.db, "get_public_hospital", (db) =>
    db
      .select({
        id: hospitals.id,
        name: hospitals.name,
        kind: hospitals.category,
        specialties: hospitals.specialties,
        address: hospitals.address,
        area: hospitals.area,
        city: hospitals.city,
        state: hospitals.state,
        pinCode: hospitals.pinCode,
        latitude: hospitals.latitude,
        longitude: hospitals.longitude,
        phone: hospitals.phone,
        email: hospitals.email,
        about: hospitals.about,
        workingHours: hospitals.workingHours,
        status: hospitals.status,
        mergedInto: hospitals.mergedInto,
        ratingSum: hospitals.ratingSum,
        ratingCount: hospitals.ratingCount,
        isDemo: hospitals.isDemo,
        doctors: doctorCount,
      })
      .from(hospitals)
      .where(eq(hospitals.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_public_hospital"),
  );
  const [row] = await query.execute({ id });
  if (!row || (row.status !== "active" && row.status !== "merged")) throw notFound();
  const { status: _, ratingSum, ratingCount, ...hospital } = row;
  return { ...hospital, mergedInto: row.status === "merged" ? row.mergedInto : null, rating: ratingOf({ ratingSum, ratingCount }) };
}
