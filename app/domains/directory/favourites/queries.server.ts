import { and, eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { favourites } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";

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
