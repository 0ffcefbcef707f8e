import { and, between, desc, eq, like, not, or, type SQL, sql } from "drizzle-orm";
import { type Db, hot } from "#app/db/client.server.ts";
import { cities } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { ownEntry } from "#app/lib/own-entry.ts";
import { hasIndicLetters, romanisations, soundDistance, soundKey, withoutEnding } from "#app/lib/sound.ts";
import { CITY_SEARCH_LIMIT, CITY_SEARCH_MINIMUM } from "./city-search.ts";
import { distanceKm } from "./distance.ts";
import { type City, CityIdSchema, type CityPlace, cityDisplayName, KNOWN_CITY_RANK, searchKey } from "./location.schema.ts";
import { similarCities } from "./similar-cities.server.ts";
import { cityOfPin, splitState } from "./typed-place.ts";

const SHOWN = { id: cities.id, name: cities.name, state: cities.state, district: cities.district, rank: cities.rank };
const PLACE = { ...SHOWN, latitude: cities.latitude, longitude: cities.longitude };

type Shown = { id: number; name: string; state: string; district: string; rank: number };
const toCity = (row: Shown): City => ({
  id: row.id,
  name: row.name,
  state: row.state,
  district: row.district,
  displayName: cityDisplayName(row),
});
const toPlace = (row: Shown & { latitude: number; longitude: number }): CityPlace => ({
  ...toCity(row),
  latitude: row.latitude,
  longitude: row.longitude,
});

/** Other names of cities, with the listed name. Both as search keys. */
const OTHER_NAMES: Record<string, string> = {
  allahabad: "prayagraj",
  bangalore: "bengaluru",
  baroda: "vadodara",
  belgaum: "belagavi",
  bellary: "ballari",
  bezawada: "vijayawada",
  bombay: "mumbai",
  calcutta: "kolkata",
  calicut: "kozhikode",
  cochin: "kochi",
  gulbarga: "kalaburagi",
  gurgaon: "gurugram",
  madras: "chennai",
  mangalore: "mangaluru",
  mysore: "mysuru",
  pondicherry: "puducherry",
  poona: "pune",
  rajahmundry: "rajamahendravaram",
  banaras: "varanasi",
  benares: "varanasi",
  kashi: "varanasi",
  trichy: "tiruchirappalli",
  trivandrum: "thiruvananthapuram",
  vizag: "visakhapatnam",
  waltair: "visakhapatnam",
};

/** Names in Telugu or Devanagari script that do not sound like the Latin name. */
const OWN_NAMES: Record<string, string> = {
  న్యూఢిల్లీ: "new delhi",
  నూఢిల్లీ: "new delhi",
  నయీఢిల్లీ: "new delhi",
  नईदिल्ली: "new delhi",
  న్యూడిల్లీ: "new delhi",
  పట్నా: "patna",
  पटना: "patna",
  लखनऊ: "lucknow",
  చండీగఢ్: "chandigarh",
};

/**
 * Returns up to eight cities for a search text: the city of a PIN code; cities of the name, in the state that follows it
 * ("Guntur, AP"); or, when there is none, cities with a similar name.
 */
export async function searchCities(ctx: Pick<Ctx, "db">, text: string): Promise<City[]> {
  const ofPin = cityOfPin(text.slice(0, 100));
  if (ofPin) {
    const city = await findPlace(ctx, ofPin.name, ofPin.state ?? "");
    if (!city) return [];
    const { latitude: _, longitude: __, ...shown } = city;
    return [shown];
  }
  const found = await citiesNamed(ctx, text);
  if (found.length > 0 || hasIndicLetters(text)) return found;
  const { name, state } = splitState(searchKey(text.slice(0, 100)));
  const named = state ? await citiesNamed(ctx, name) : [];
  const meant = named.length > 0 ? named : (await similarCities(ctx.db, name, CITY_SEARCH_LIMIT)).map(toCity);
  const inState = meant.filter((city) => city.state === state);
  return inState.length > 0 ? inState : meant;
}

/**
 * Returns up to eight cities by name: names that start with it first, larger cities before smaller ones of the same
 * name, then names with a later word that starts with it. Returns none for less than two letters.
 */
async function citiesNamed(ctx: Pick<Ctx, "db">, text: string): Promise<City[]> {
  if (hasIndicLetters(text)) return (await citiesBySound(ctx.db, text)).slice(0, CITY_SEARCH_LIMIT).map(({ row }) => toCity(row));
  const typed = searchKey(text.slice(0, 100));
  if (typed.replaceAll(" ", "").length < CITY_SEARCH_MINIMUM) return [];
  const renamed = Object.keys(OTHER_NAMES).find((name) => name.startsWith(typed) && typed.length >= 4);
  const first = await beginning(ctx.db, typed, renamed ? (OTHER_NAMES[renamed] ?? null) : null);
  if (first.length >= CITY_SEARCH_LIMIT) return first.map(toCity);
  // searchKey leaves letters, digits and spaces, so no LIKE pattern.
  const later = await ctx.db
    .select(SHOWN)
    .from(cities)
    .where(and(like(cities.searchName, `% ${typed}%`), not(like(cities.searchName, `${typed}%`))))
    .orderBy(desc(cities.rank), cities.name, cities.state)
    .limit(CITY_SEARCH_LIMIT - first.length);
  return [...first, ...later].map(toCity);
}

/** Returns the city that words in Telugu or Devanagari script clearly name; null when ambiguous. */
export async function cityNamedIn(ctx: Pick<Ctx, "db">, text: string): Promise<City | null> {
  const named = (await citiesBySound(ctx.db, text)).find(isSure);
  return named ? toCity(named.row) : null;
}

/** `sound`: the sound that was searched; `far`: edit distance between the name and the text, plus 1 for a village. */
type Sounding = { row: Shown & { searchName: string }; sound: string; far: number };
/** A word of two sounds is similar to many names, and so is a prefix. */
function isSure({ row, sound, far }: Sounding): boolean {
  const isWhole = soundKey(row.searchName) === sound;
  const isLong = sound.length > 2;
  return (isWhole || isLong) && far <= (isWhole && isLong ? 1.25 : 0.5);
}

/**
 * Returns places that sound like a name in Telugu or Devanagari script, or start so, known cities before villages of the same
 * distance.
 */
async function citiesBySound(db: Db, text: string): Promise<Sounding[]> {
  const bare = text
    .slice(0, 100)
    .replace(/[\s\u200b-\u200d]+/g, "")
    .normalize("NFC");
  if ([...bare].length < CITY_SEARCH_MINIMUM) return [];
  const own = OWN_NAMES[bare];
  const names = own
    ? [own]
    : withoutEnding(bare)
        .flatMap(romanisations)
        .filter((name) => soundKey(name) !== "");
  const renamed = names.flatMap((name) => Object.keys(OTHER_NAMES).filter((other) => soundDistance(name, other) <= 0.5));
  const typed = [...new Set([...names, ...renamed.map((other) => OTHER_NAMES[other] ?? other)])];
  const query = hot(db, "cities_by_sound", (on) =>
    on
      .select({ ...SHOWN, searchName: cities.searchName })
      .from(cities)
      .where(
        sql`search_sound(${cities.searchName}) ~>=~ ${sql.placeholder("from")} and search_sound(${cities.searchName}) ~<~ ${sql.placeholder("to")}
          or search_sound(${cities.searchName}) = ${sql.placeholder("shorter")}`,
      )
      .orderBy(desc(cities.rank))
      .limit(1000)
      .prepare("cities_by_sound"),
  );
  const best = new Map<number, Sounding>();
  for (const name of typed) {
    const from = soundKey(name);
    // "Anantapuram" is listed as Anantapur.
    const shorter = from.length > 3 ? from.slice(0, -1) : from;
    for (const row of await query.execute({ from, to: from.length > 1 ? `${from}~` : `${from}!`, shorter })) {
      const far = soundDistance(name, row.searchName) + (row.rank >= KNOWN_CITY_RANK ? 0 : 1);
      if (far < (best.get(row.id)?.far ?? Number.POSITIVE_INFINITY)) best.set(row.id, { row, sound: from, far });
    }
  }
  return [...best.values()].sort((a, b) => a.far - b.far || b.row.rank - a.row.rank || (a.row.name < b.row.name ? -1 : 1));
}

function beginning(db: Db, typed: string, renamed: string | null) {
  // A range instead of LIKE, because a prepared LIKE cannot use the index. "~" sorts after every character of a search key.
  const within = (from: string, to: string) =>
    sql`(${cities.searchName} ~>=~ ${sql.placeholder(from)} and ${cities.searchName} ~<~ ${sql.placeholder(to)})`;
  const search = hot(db, "search_cities", (on) =>
    on
      .select(SHOWN)
      .from(cities)
      .where(or(within("typed", "typedEnd"), within("other", "otherEnd")))
      .orderBy(
        sql`${cities.rank} >= ${KNOWN_CITY_RANK} desc`,
        desc(eq(cities.searchName, sql.placeholder("typed"))),
        desc(cities.rank),
        cities.name,
        cities.state,
      )
      .limit(CITY_SEARCH_LIMIT)
      .prepare("search_cities"),
  );
  const other = renamed ?? typed;
  return search.execute({ typed, typedEnd: `${typed}~`, other, otherEnd: `${other}~` });
}

/** A point farther than this from every listed place is not in India. */
const FARTHEST_KM = 100;
/** Within this distance of a known city, that city is returned instead of a village. */
const CITY_REACH_KM = 12;

/** Returns the city of a point: a known one within reach, otherwise the nearest place; null outside India. */
export async function nearestCity(
  ctx: Pick<Ctx, "db">,
  latitude: number,
  longitude: number,
): Promise<(CityPlace & { distanceKm: number }) | null> {
  const here = { latitude, longitude };
  const around = (degrees: number): SQL | undefined =>
    and(
      between(cities.latitude, latitude - degrees, latitude + degrees),
      between(cities.longitude, longitude - degrees, longitude + degrees),
    );
  for (const degrees of [0.3, 1.2]) {
    const rows = await ctx.db.select(PLACE).from(cities).where(around(degrees));
    const near = rows
      .map((row) => ({ row, km: distanceKm(here, row) }))
      .filter(({ km }) => km <= FARTHEST_KM)
      .sort((a, b) => a.km - b.km);
    const best = near.find(({ row, km }) => row.rank >= KNOWN_CITY_RANK && km <= CITY_REACH_KM) ?? near[0];
    if (best) return { ...toPlace(best.row), distanceKm: best.km };
  }
  return null;
}

/** @throws DomainError("not-found") */
export async function getCity(ctx: Pick<Ctx, "db">, id: number | string): Promise<CityPlace> {
  const known = CityIdSchema.safeParse(id);
  const [row] = known.success
    ? await hot(ctx.db, "get_city", (on) =>
        on
          .select(PLACE)
          .from(cities)
          .where(eq(cities.id, sql.placeholder("id")))
          .prepare("get_city"),
      ).execute({ id: known.data })
    : [];
  if (!row) throw new DomainError("not-found");
  return toPlace(row);
}

/** Returns the default city (spec 001 §9). @throws DomainError("not-found") before the cities are seeded */
export async function defaultCity(ctx: Pick<Ctx, "db">): Promise<CityPlace> {
  const [row] = await hot(ctx.db, "default_city", (on) =>
    on
      .select(PLACE)
      .from(cities)
      .where(and(eq(cities.name, "Vijayawada"), eq(cities.state, "Andhra Pradesh")))
      .orderBy(desc(cities.rank))
      .limit(1)
      .prepare("default_city"),
  ).execute();
  if (!row) throw new DomainError("not-found");
  return toPlace(row);
}

/** Returns the largest place of this name in this state, normalised; null when none is listed. */
export async function findPlace(ctx: Pick<Ctx, "db">, name: string, state: string): Promise<CityPlace | null> {
  const key = searchKey(name.slice(0, 100));
  const [row] = key
    ? await ctx.db
        .select(PLACE)
        .from(cities)
        .where(and(eq(cities.searchName, ownEntry(OTHER_NAMES, key) ?? key), eq(sql`lower(${cities.state})`, state.trim().toLowerCase())))
        .orderBy(desc(cities.rank))
        .limit(1)
    : [];
  return row ? toPlace(row) : null;
}

/** Returns the largest cities. */
export async function largestCities(ctx: Pick<Ctx, "db">, count: number): Promise<City[]> {
  const query = hot(ctx.db, "largest_cities", (on) =>
    on.select(SHOWN).from(cities).orderBy(desc(cities.rank), cities.name).limit(sql.placeholder("count")).prepare("largest_cities"),
  );
  return (await query.execute({ count })).map(toCity);
}
