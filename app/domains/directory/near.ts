import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** Coordinates of "near", in degrees. */
export type Near = { latitude: number; longitude: number };
type Placed = { globe: AnyPgColumn };

/**
 * Returns a placeholder whose value the planner cannot see. Otherwise PostgreSQL finds a plan for a rare word cheaper than the
 * generic one and plans every request, which takes longer than the query.
 */
export const unseen = (name: string, type: "cube" | "int" | "tsquery"): SQL => sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;

/** Returns the values of the placeholders `here` and `beyond`: a point on a globe of radius 1, and its antipode. */
export function globeValues({ latitude, longitude }: Near): { here: string; beyond: string } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  const xyz = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  return { here: `(${xyz.join()})`, beyond: `(${xyz.map((of) => -of).join()})` };
}

const fromHere = (t: Placed): SQL => sql`${t.globe} <-> ${unseen("here", "cube")}`;

/** Orders nearest first, or farthest first (nearest to the antipode). Unknown coordinates come last. */
export const byDistance = (t: Placed, farthest: boolean): SQL => (farthest ? sql`${t.globe} <-> ${unseen("beyond", "cube")}` : fromHere(t));

/** SQL: kilometres on the ground from the placeholder `here`; null for unknown coordinates. */
export const kilometres = (t: Placed): SQL<number | null> =>
  // `least` prevents rounding errors beyond the domain of asin. It ignores null, so the case is needed.
  sql`(case when ${t.globe} is not null then 2 * 6371.01 * asin(least(1, (${fromHere(t)}) / 2)) end)`;

/** Rounds to one decimal, as shown. */
export const roundKm = (km: number | null): number | null => (km === null ? null : Math.round(km * 10) / 10);
