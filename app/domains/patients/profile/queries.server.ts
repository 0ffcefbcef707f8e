import { eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { cities, PATIENT_PROFILE_COLUMNS, patients, users } from "#app/db/schema/index.ts";
import { openedColumns } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";

export type Place = { name: string; latitude: number; longitude: number };
/** A place from which lists count their distances. `exact`: the position of the person, otherwise the centre of their city. */
export type NearPlace = Place & { exact: boolean };
/** Spec 001 §9: the default city. */
export const DEFAULT_PLACE: NearPlace = { name: "Vijayawada", latitude: 16.50745, longitude: 80.6466, exact: false };

export type PatientHead = { name: string | null; place: NearPlace };
const heads = new WeakMap<Ctx, Promise<PatientHead>>();

/** Returns the acting patient's name and city for the page frame. Cached for the request, because frame and page both need it. */
export function getPatientHead(ctx: Ctx<Actor>): Promise<PatientHead> {
  let head = heads.get(ctx);
  if (!head) {
    head = readPatientHead(ctx);
    heads.set(ctx, head);
  }
  return head;
}

async function readPatientHead(ctx: Ctx<Actor>): Promise<PatientHead> {
  const query = hot(ctx.db, "get_patient_head", (db) =>
    db
      .select({
        name: patients.name,
        city: cities.name,
        // The patient's position, otherwise the centre of their city.
        latitude: sql<number | null>`coalesce(${patients.latitude}, ${cities.latitude})`,
        longitude: sql<number | null>`coalesce(${patients.longitude}, ${cities.longitude})`,
        exact: sql<boolean>`${patients.latitude} is not null and ${patients.longitude} is not null`,
      })
      .from(patients)
      .leftJoin(cities, eq(cities.id, patients.cityId))
      .where(eq(patients.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_patient_head"),
  );
  const [row] = await query.execute({ id: ctx.actor.userId });
  const place =
    row?.city && row.latitude !== null && row.longitude !== null
      ? { name: row.city, latitude: row.latitude, longitude: row.longitude, exact: row.exact }
      : DEFAULT_PLACE;
  return { name: row?.name ?? null, place };
}

export const profileRow = openedColumns(patients, PATIENT_PROFILE_COLUMNS);
/** Returns the acting patient's profile (spec 001 §3). The photo is at /files/{photoFileId}. @throws DomainError("not-found") */
export async function getPatientProfile(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({ ...profileRow, phone: users.phone })
    .from(patients)
    .innerJoin(users, eq(users.id, patients.id))
    .where(eq(patients.id, ctx.actor.userId));
  if (!row) throw new DomainError("not-found");
  const { noAllergiesOn, ...profile } = row;
  return { ...profile, noAllergies: noAllergiesOn !== null };
}
