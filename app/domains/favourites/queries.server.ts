import { and, desc, eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { doctors, favourites, hospitals } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "../context.server.ts";

/**
 * Which of these doctors and hospitals are favourites of whoever is looking: for the hearts of a list of cards. Nobody's
 * for a visitor, without asking the database.
 */
export async function favouritesAmong(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  if (ctx.actor?.role !== "patient" || ids.length === 0) return new Set();
  const query = hot(ctx.db, "favourites_among", (db) =>
    db
      .select({ id: sql<string>`coalesce(${favourites.doctorId}, ${favourites.hospitalId})` })
      .from(favourites)
      .where(
        and(
          eq(favourites.patientId, sql.placeholder("patient")),
          sql`coalesce(${favourites.doctorId}, ${favourites.hospitalId}) = any(string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`,
        ),
      )
      .prepare("favourites_among"),
  );
  const rows = await query.execute({ patient: ctx.actor.userId, ids: ids.join(",") });
  return new Set(rows.map((row) => row.id));
}

/** The patient's favourites that still have a public page, the newest first: ids and names. */
export async function listFavourites(ctx: Ctx<Actor>) {
  const [ofDoctors, ofHospitals] = await Promise.all([
    ctx.db
      .select({ id: doctors.id, name: doctors.fullName, about: doctors.primarySpecialization, city: doctors.city })
      .from(favourites)
      .innerJoin(doctors, eq(doctors.id, favourites.doctorId))
      .where(and(eq(favourites.patientId, ctx.actor.userId), eq(doctors.registrationStatus, "verified")))
      .orderBy(desc(favourites.createdAt), doctors.fullName),
    ctx.db
      .select({ id: hospitals.id, name: hospitals.name, about: hospitals.address, city: hospitals.city })
      .from(favourites)
      .innerJoin(hospitals, eq(hospitals.id, favourites.hospitalId))
      .where(and(eq(favourites.patientId, ctx.actor.userId), eq(hospitals.status, "active")))
      .orderBy(desc(favourites.createdAt), hospitals.name),
  ]);
  return { doctors: ofDoctors, hospitals: ofHospitals };
}
