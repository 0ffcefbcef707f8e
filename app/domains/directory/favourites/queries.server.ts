import { and, eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { inLanguage, languageValue } from "#app/db/in-language.server.ts";
import { doctors, favourites, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Favourite } from "./favourite.ts";

/**
 * Returns which of these doctors and hospitals are favourites of the actor, for the hearts of a list. Empty for a visitor,
 * without a query.
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

/** Returns the name of a listed doctor or hospital; null for others. */
export async function findListedName(ctx: Ctx, { kind, id }: Favourite): Promise<string | null> {
  const query = hot(ctx.db, `listed_name_${kind}`, (db) =>
    kind === "doctor"
      ? db
          .select({ name: inLanguage(doctors.fullName, doctors.translations, "name") })
          .from(doctors)
          .where(and(eq(doctors.id, sql.placeholder("id")), listedDoctor(doctors)))
          .prepare("listed_name_doctor")
      : db
          .select({ name: inLanguage(hospitals.name, hospitals.translations, "name") })
          .from(hospitals)
          .where(and(eq(hospitals.id, sql.placeholder("id")), listedHospital(hospitals)))
          .prepare("listed_name_hospital"),
  );
  const [row] = await query.execute({ id, ...languageValue() });
  return row?.name ?? null;
}
