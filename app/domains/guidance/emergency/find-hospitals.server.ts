import { and, asc, between, eq, sql } from "drizzle-orm";
import { type EmergencyHospital, type EmergencyProblem, hospitals } from "#app/db/schema/index.ts";
import { listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import type { Point } from "#app/domains/platform/location/distance.ts";
import { unavailable } from "#app/integrations/failure.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { within } from "#app/lib/within.ts";
import { askModel } from "./ask-model.server.ts";
import { MOST_HOSPITALS } from "./emergency.state.ts";
import { type FoundHospital, mergeHospitals, REACH_KM } from "./merge-hospitals.ts";

/** Time limit of all sources together. */
export const SEARCH_LIMIT = seconds(4);

export type Search = {
  hospitals: EmergencyHospital[];
  /** Why there are none. */
  problem: EmergencyProblem | null;
  /** Errors of single sources, for the log. */
  faults: unknown[];
};
type SourceResult = { found: FoundHospital[]; fault?: unknown };

/**
 * Asks all sources concurrently and returns what has arrived by the deadline. Any source, also the database, may fail or time out
 * without affecting the others. Never rejects.
 */
export async function findHospitals(ctx: Ctx, here: Point, limit = SEARCH_LIMIT): Promise<Search> {
  const { gemini, hospitals: maps } = ctx.integrations;
  const paid = maps.places !== null || gemini.connected || maps.overpass !== null;
  const allowed = paid ? mayAskOutside(ctx, limit) : Promise.resolve(false);
  const outside = (there: boolean, ask: () => Promise<FoundHospital[]>) =>
    there ? resultWithin(limit, async () => ((await allowed) ? await ask() : null)) : null;
  const [places, overpass, model, own] = await Promise.all([
    outside(maps.places !== null, () => maps.places!.near(here, limit)),
    outside(maps.overpass !== null, () => maps.overpass!.near(here, limit)),
    outside(gemini.connected, () => askModel(gemini, here, limit)),
    resultWithin(limit, () => inDirectory(ctx, here)),
  ]);
  const of = (source: SourceResult | null) => source?.found ?? [];
  const merged = mergeHospitals(here, [...of(own), ...of(places), ...of(overpass)], of(model)).slice(0, MOST_HOSPITALS);
  const faults = [places, overpass, model, own].flatMap((source) => (source?.fault === undefined ? [] : [source.fault]));
  return { hospitals: merged, problem: merged.length ? null : problemOf(), faults };

  function problemOf(): EmergencyProblem {
    if (places?.fault !== undefined) return "maps";
    // An answer without hospitals from one map means that there are none, even if other sources failed.
    if (places || (overpass && overpass.fault === undefined)) return "none-10km";
    if (faults.length > 0) return "unknown";
    return model ? "none-2km" : "none-10km";
  }
}

/** Returns false over the rate limit: paid sources are skipped, the others still answer. An unavailable counter allows. */
async function mayAskOutside(ctx: Ctx, limit: number): Promise<boolean> {
  const counted = spendLimits(ctx, [{ limit: "sos-search", address: ctx.ip }]).then(
    () => true,
    (error: unknown) => (error as { code?: unknown }).code !== "too-many",
  );
  return within(limit / 8, counted, () => null).catch(() => true);
}

/** Returns the response of a source within the time limit. */
async function resultWithin(limit: number, ask: () => Promise<FoundHospital[] | null>): Promise<SourceResult> {
  try {
    return { found: (await within(limit, ask(), () => unavailable("hospital search", "no answer in time"))) ?? [] };
  } catch (fault) {
    return { found: [], fault };
  }
}

/** Returns hospitals of our directory, nearest first. */
async function inDirectory(ctx: Ctx, { latitude, longitude }: Point): Promise<FoundHospital[]> {
  const north = REACH_KM / 111;
  const east = north / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  const rows = await ctx.db
    .select({
      name: hospitals.name,
      address: hospitals.address,
      phone: hospitals.phone,
      latitude: hospitals.latitude,
      longitude: hospitals.longitude,
      isDemo: hospitals.isDemo,
    })
    .from(hospitals)
    .where(
      and(
        listedHospital(hospitals),
        eq(hospitals.category, "Hospital"),
        between(hospitals.latitude, latitude - north, latitude + north),
        between(hospitals.longitude, longitude - east, longitude + east),
      ),
    )
    .orderBy(asc(sql`(${hospitals.latitude} - ${latitude}) ^ 2 + ((${hospitals.longitude} - ${longitude}) * ${north / east}) ^ 2`))
    .limit(20);
  return rows;
}
