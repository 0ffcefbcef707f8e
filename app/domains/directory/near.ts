import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { NEAR_KM } from "./near-km.ts";

/** Coordinates of "near", in degrees. */
export type Near = { latitude: number; longitude: number };
type Placed = { globe: AnyPgColumn | SQL };

/**
 * Returns a placeholder whose value the planner cannot see. Otherwise PostgreSQL finds a plan for a rare word cheaper than the
 * generic one and plans every request, which takes longer than the query.
 */
export const unseen = (name: string, type: "cube" | "float8" | "int" | "tsquery"): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;

/** Returns the values of the placeholders `here` and `beyond`: a point on a globe of radius 1, and its antipode. */
export function globeValues({ latitude, longitude }: Near): { here: string; beyond: string } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  const xyz = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  return { here: `(${xyz.join()})`, beyond: `(${xyz.map((of) => -of).join()})` };
}

/** SQL: the straight line through the globe of radius 1 from the placeholder `here`. */
export const fromHere = (t: Placed): SQL => sql`${t.globe} <-> ${unseen("here", "cube")}`;

const EARTH_KM = 6371.01;
/** Returns the straight line through the globe of radius 1 between two points this far apart on the ground. */
const chordOf = (km: number) => 2 * Math.sin(km / (2 * EARTH_KM));

/** Orders nearest first, or farthest first (nearest to the antipode). Unknown coordinates come last. */
export const byDistance = (t: Placed, farthest: boolean): SQL => (farthest ? sql`${t.globe} <-> ${unseen("beyond", "cube")}` : fromHere(t));

/** SQL: kilometres on the ground from the placeholder `here`; null for unknown coordinates. */
export const kilometres = (t: Placed): SQL<number | null> =>
  // `least` prevents rounding errors beyond the domain of asin. It ignores null, so the case is needed.
  sql`(case when ${t.globe} is not null then 2 * ${sql.raw(String(EARTH_KM))} * asin(least(1, (${fromHere(t)}) / 2)) end)`;

/** Half of the last digit of a rounded distance: 50.04 km is shown as 50.0 and is near. */
const ROUNDING_KM = 0.05;
/** Values of the placeholder of `isWithin`. */
export const withinValues = (km: number | undefined) => ({ within: chordOf((km ?? 0) + ROUNDING_KM) });
/** SQL: within a straight line of `here`. The box finds the rows in the index, the distance removes its corners. */
export const isWithinChord = (t: Placed, chord: SQL): SQL =>
  sql`(${t.globe} <@ cube_enlarge(${unseen("here", "cube")}, ${chord}, 3) and ${fromHere(t)} <= ${chord})`;
/** SQL: within the placeholder `within` of `here`. */
export const isWithin = (t: Placed): SQL => isWithinChord(t, unseen("within", "float8"));
const NEAR_CHORD = sql.raw(String(chordOf(NEAR_KM + ROUNDING_KM)));
/** SQL of `isNear`, as a key or condition of rows that are already selected. */
export const isNearby = (t: Placed): SQL => sql`coalesce(${fromHere(t)} <= ${NEAR_CHORD}, false)`;
/** SQL of `isNear` that finds the rows in the index. */
export const isNearbyByIndex = (t: Placed): SQL => isWithinChord(t, NEAR_CHORD);

/** Rounds to one decimal, as shown. */
export const roundKm = (km: number | null): number | null => (km === null ? null : Math.round(km * 10) / 10);
