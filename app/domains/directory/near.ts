import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { onMap } from "#app/db/schema/index.ts";

/** Where "near" is, in degrees. */
export type Near = { latitude: number; longitude: number };
type Placed = { latitude: AnyPgColumn; longitude: AnyPgColumn };

const here = sql`point(${sql.placeholder("longitude")}::float8, degrees(ln(tan(radians(45 + ${sql.placeholder("latitude")}::float8 / 2)))))`;

/** Orders by distance from the placeholders `latitude` and `longitude`; places that are not known come last. */
export const byDistance = (t: Placed): SQL => sql`${onMap(t)} <-> ${here}`;

/** Kilometres from the placeholders `latitude` and `longitude`; a few in a hundred too much or too little at the other end of India. */
export const kilometres = (t: Placed): SQL<number | null> =>
  sql`(111.195 * cos(radians(${sql.placeholder("latitude")}::float8)) * (${byDistance(t)}))`;

/** As exact as it is shown: one decimal. */
export const roundKm = (km: number | null): number | null => (km === null ? null : Math.round(km * 10) / 10);
