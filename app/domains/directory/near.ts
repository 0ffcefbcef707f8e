import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** Where "near" is, in degrees. */
export type Near = { latitude: number; longitude: number };

/**
 * A place on Mercator's map, in degrees of the equator. On this map every direction is stretched alike, so the nearest
 * point of it (which a GiST index walks to) is the nearest place, and the distance on it is the real one after one factor.
 */
export const onMap = (latitude: AnyColumn | SQL, longitude: AnyColumn | SQL): SQL =>
  sql`point(${longitude}, degrees(ln(tan(radians(45 + ${latitude} / 2)))))`;

const here = sql`point(${sql.placeholder("longitude")}::float8, degrees(ln(tan(radians(45 + ${sql.placeholder("latitude")}::float8 / 2)))))`;

/** Orders by distance from the placeholders `latitude` and `longitude`; places that are not known come last. */
export const byDistance = (latitude: AnyColumn | SQL, longitude: AnyColumn | SQL): SQL => sql`${onMap(latitude, longitude)} <-> ${here}`;

/** Kilometres from the placeholders `latitude` and `longitude`; a few in a hundred too much or too little at the other end of India. */
export const kilometres = (latitude: AnyColumn | SQL, longitude: AnyColumn | SQL): SQL<number | null> =>
  sql`(111.195 * cos(radians(${sql.placeholder("latitude")}::float8)) * (${byDistance(latitude, longitude)}))`;

/** As exact as it is shown: one decimal. */
export const roundKm = (km: number | null): number | null => (km === null ? null : Math.round(km * 10) / 10);
