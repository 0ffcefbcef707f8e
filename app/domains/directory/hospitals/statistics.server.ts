import { sql } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { seconds } from "#app/lib/durations.ts";

export type DirectoryFigures = { hospitals: number; withDoctors: number; doctors: number };
const CACHE_TIME = seconds(30);
const known = new WeakMap<object, { at: number; figures: Promise<DirectoryFigures> }>();

/**
 * Returns the figures of the hospital list: active hospitals, those with a verified doctor, and these doctors. Cached for half a
 * minute, because it counts all rows.
 */
export function getDirectoryFigures(ctx: Ctx): Promise<DirectoryFigures> {
  const now = ctx.now.getTime();
  const last = known.get(ctx.db);
  if (last && now >= last.at && now < last.at + CACHE_TIME) return last.figures;
  const figures = count(ctx);
  known.set(ctx.db, { at: now, figures });
  figures.catch(() => known.delete(ctx.db));
  return figures;
}

async function count(ctx: Ctx): Promise<DirectoryFigures> {
  const rows = await ctx.db
    .select({
      hospitals: sql<number>`count(*)::int`,
      withDoctors: sql<number>`count(own.n)::int`,
      doctors: sql<number>`coalesce(sum(own.n), 0)::int`,
    })
    .from(hospitals)
    .leftJoin(
      sql`(select hospital_id, count(*) as n from ${doctors} where ${listedDoctor(doctors)} group by hospital_id) as own`,
      sql`own.hospital_id = ${hospitals.id}`,
    )
    .where(listedHospital(hospitals));
  return rows[0] ?? { hospitals: 0, withDoctors: 0, doctors: 0 };
}
