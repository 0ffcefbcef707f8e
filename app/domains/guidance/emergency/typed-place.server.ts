import { and, count, desc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { CITY_SEARCH_MINIMUM } from "#app/domains/platform/location/city-search.ts";
import type { Point } from "#app/domains/platform/location/distance.ts";
import { searchKey } from "#app/domains/platform/location/location.schema.ts";
import { cityNamedIn, getCity, searchCities } from "#app/domains/platform/location/queries.server.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { hasIndicLetters, romanisations, soundDistance, soundKey, withoutEnding } from "#app/lib/sound.ts";

const PIN = /(?<!\d)[1-9]\d{2}\s?\d{3}(?!\d)/;

/**
 * Returns the coordinates of a typed city, PIN code or area; null for an unknown name. A PIN code is located by the hospitals
 * with that code, otherwise by those of its sorting district (the first three digits).
 */
export async function typedPlace(ctx: Pick<Ctx, "db">, typed: string): Promise<Point | null> {
  const pin = PIN.exec(plainDigits(typed))?.[0].replace(/\s/g, "");
  if (pin) {
    const there =
      (await middleOf(ctx, eq(hospitals.pinCode, pin))) ?? (await middleOf(ctx, sql`${hospitals.pinCode} like ${`${pin.slice(0, 3)}%`}`));
    if (there) return there;
  }
  // "Labbipet, Vijayawada": tries the parts from the left, which is the most specific.
  for (const part of [typed, ...typed.split(/[,\n]/)].slice(0, 6)) {
    const name = part.replace(PIN, " ").trim();
    if (hasIndicLetters(name)) {
      const there = await spokenPlace(ctx, name);
      if (there) return there;
      continue;
    }
    if (searchKey(name).replaceAll(" ", "").length < CITY_SEARCH_MINIMUM) continue;
    const cities = await searchCities(ctx, name);
    const city = cities.find((c) => searchKey(c.name) === searchKey(name));
    if (city) return getCity(ctx, city.id);
    const area = await middleOf(ctx, or(sql`lower(${hospitals.area}) = ${name.toLowerCase()}`, eq(hospitals.city, name)));
    if (area) return area;
    if (cities[0] && !typed.includes(",")) return getCity(ctx, cities[0].id);
  }
  return null;
}

/** Returns a city or area in Telugu or Devanagari script. Null is better than a distant one that sounds only similar. */
async function spokenPlace(ctx: Pick<Ctx, "db">, name: string): Promise<Point | null> {
  const city = await cityNamedIn(ctx, name);
  if (city) return getCity(ctx, city.id);
  const names = withoutEnding(name)
    .flatMap(romanisations)
    .filter((latin) => soundKey(latin).length > 2);
  if (names.length === 0) return null;
  const areas = await ctx.db
    .selectDistinct({ area: hospitals.area })
    .from(hospitals)
    .where(sql`search_sound(${hospitals.area}) = any(string_to_array(${names.map(soundKey).join("|")}, '|'))`)
    .limit(100);
  const close = areas.map(({ area }) => area).filter((area) => names.some((latin) => soundDistance(latin, area) <= 1));
  return close.length ? middleOf(ctx, inArray(hospitals.area, close)) : null;
}

/** Returns the centre of these hospitals in the city with most of them: names such as Gandhi Nagar exist in many cities. */
async function middleOf(ctx: Pick<Ctx, "db">, where: Parameters<typeof and>[0]): Promise<Point | null> {
  const [row] = await ctx.db
    .select({ latitude: sql<number | null>`avg(${hospitals.latitude})`, longitude: sql<number | null>`avg(${hospitals.longitude})` })
    .from(hospitals)
    .where(and(listedHospital(hospitals), isNotNull(hospitals.latitude), where))
    .groupBy(hospitals.city, hospitals.state)
    .orderBy(desc(count()), hospitals.state, hospitals.city)
    .limit(1);
  return row && row.latitude !== null && row.longitude !== null ? { latitude: row.latitude, longitude: row.longitude } : null;
}
