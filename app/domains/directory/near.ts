import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** Where "near" is, in degrees. */
export type Near = { latitude: number; longitude: number };
type Placed = { globe: AnyPgColumn };

/**
 * A placeholder whose value PostgreSQL does not look at when it plans. Otherwise it finds that a plan made for a rare word
 * would be cheaper than one for all, and plans anew for every request, which takes longer than to answer it.
 */
export const unseen = (name: string, type: "cube" | "int" | "tsquery"): SQL => sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;

/** Values of the placeholders `here` and `beyond`: a place on a globe of radius 1, and the other side of the globe. */
export function globeValues({ latitude, longitude }: Near): { here: string; beyond: string } {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  const xyz = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  return { here: `(${xyz.join()})`, beyond: `(${xyz.map((of) => -of).join()})` };
}

const fromHere = (t: Placed): SQL => sql`${t.globe} <-> ${unseen("here", "cube")}`;

/** Nearest first, or farthest first: nearest to the other side. Places that are not known come last either way. */
export const byDistance = (t: Placed, farthest: boolean): SQL => (farthest ? sql`${t.globe} <-> ${unseen("beyond", "cube")}` : fromHere(t));

/** Kilometres over the ground from the placeholder `here`; null where the place is not known. */
export const kilometres = (t: Placed): SQL<number | null> =>
  // `least` keeps rounding within what asin takes; of 1 and nothing it would be 1.
  sql`(case when ${t.globe} is not null then 2 * 6371.01 * asin(least(1, (${fromHere(t)}) / 2)) end)`;

/** As exact as it is shown: one decimal. */
export const roundKm = (km: number | null): number | null => (km === null ? null : Math.round(km * 10) / 10);
