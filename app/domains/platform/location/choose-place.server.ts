import { eq, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { cities, patients } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { orNull } from "#app/integrations/or-null.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { spendLimits } from "../limits/limit.server.ts";
import type { Point } from "./distance.ts";
import { type CityPlace, cityDisplayName, type OwnPlace, roundDegrees } from "./location.schema.ts";
import { defaultCity, findPlace, getCity, nearestCity } from "./queries.server.ts";

const inCity = (city: CityPlace, source: OwnPlace["source"]): OwnPlace => ({
  cityId: city.id,
  name: city.name,
  displayName: city.displayName,
  latitude: city.latitude,
  longitude: city.longitude,
  accuracy: null,
  source,
});

/** Returns the place of a city chosen from the list. @throws DomainError("not-found") */
export const placeOfCity = async (ctx: Ctx, cityId: number | string): Promise<OwnPlace> => inCity(await getCity(ctx, cityId), "search");

/** Returns the default place. */
export const defaultPlace = async (ctx: Ctx): Promise<OwnPlace> => inCity(await defaultCity(ctx), null);

/** Returns the place of a cookie; null when its city is unknown. */
export async function placeAgain(
  ctx: Ctx,
  cookie: { cityId: number; position: (Point & { accuracy: number | null }) | null; source: OwnPlace["source"] },
): Promise<OwnPlace | null> {
  try {
    const city = await getCity(ctx, cookie.cityId);
    return { ...inCity(city, cookie.source), ...(cookie.position ?? {}) };
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return null;
    throw error;
  }
}

/**
 * Returns the city at a position of the browser (spec 001 §4.6). A configured map service names the city. Without one, or when it
 * is unavailable, our own table does, and the position stays on this server.
 * @returns null outside India
 * @throws DomainError("too-many")
 */
export async function placeAtPosition(ctx: Ctx, at: Point & { accuracy: number | null }): Promise<OwnPlace | null> {
  await spendLimits(ctx, [{ limit: "locate", ...(ctx.actor ? { key: ctx.actor.userId } : { address: ctx.ip }) }]);
  const city = (await namedCity(ctx, at)) ?? (await nearestCity(ctx, at.latitude, at.longitude));
  if (!city) return null;
  return {
    ...inCity(city, "position"),
    latitude: roundDegrees(at.latitude),
    longitude: roundDegrees(at.longitude),
    accuracy: at.accuracy,
  };
}

async function namedCity(ctx: Ctx, at: Point): Promise<CityPlace | null> {
  const named = ctx.integrations.geocoder && (await orNull(ctx.integrations.geocoder.cityAt(at)));
  return named && findPlace(ctx, named.city, named.state);
}

/**
 * Returns the city of an IP address, with the coordinates of its centre, because an address is not more accurate.
 * @returns null when no lookup service is configured, or the address is unknown
 * @throws DomainError("too-many")
 */
export async function placeOfAddress(ctx: Ctx): Promise<OwnPlace | null> {
  if (!ctx.integrations.ipPlaces) return null;
  await spendLimits(ctx, [{ limit: "locate", ...(ctx.actor ? { key: ctx.actor.userId } : { address: ctx.ip }) }]);
  const at = await orNull(ctx.integrations.ipPlaces.placeOf(ctx.ip));
  const city = at && (await nearestCity(ctx, at.latitude, at.longitude));
  return city && inCity(city, "ip");
}

/** Stores the place of the acting patient. @throws DomainError("unauthenticated") */
export async function savePlace(ctx: Ctx<Actor>, place: OwnPlace): Promise<void> {
  const exact = place.source === "position";
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    await tx.db
      .update(patients)
      .set({
        cityId: place.cityId,
        latitude: exact ? place.latitude : null,
        longitude: exact ? place.longitude : null,
        accuracy: exact ? place.accuracy : null,
        placeSource: place.source,
        updatedAt: tx.now,
      })
      .where(eq(patients.id, tx.actor.userId));
  });
}

/** Returns the acting patient's place, or the default city. */
export async function getOwnPlace(ctx: Ctx<Actor>): Promise<OwnPlace> {
  const query = hot(ctx.db, "get_own_place", (db) =>
    db
      .select({
        cityId: cities.id,
        name: cities.name,
        state: cities.state,
        district: cities.district,
        rank: cities.rank,
        latitude: sql<number>`coalesce(${patients.latitude}, ${cities.latitude})`,
        longitude: sql<number>`coalesce(${patients.longitude}, ${cities.longitude})`,
        accuracy: patients.accuracy,
        source: patients.placeSource,
      })
      .from(patients)
      .innerJoin(cities, eq(cities.id, patients.cityId))
      .where(eq(patients.id, sql.placeholder("id")))
      .limit(1)
      .prepare("get_own_place"),
  );
  const [row] = await query.execute({ id: ctx.actor.userId });
  if (!row) return defaultPlace(ctx);
  const { cityId, name, latitude, longitude, accuracy, source } = row;
  return { cityId, name, displayName: cityDisplayName(row), latitude, longitude, accuracy, source: source ?? "search" };
}
