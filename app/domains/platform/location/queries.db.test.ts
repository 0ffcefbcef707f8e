import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/db/pool.server.ts";
import { seedReference } from "#demo/index.server.ts";
import { PIN_AREAS } from "./pin-areas.ts";
import { defaultCity, findPlace, getCity, nearestCity, searchCities } from "./queries.server.ts";

const ctx = { db: db() };
const names = async (text: string) => (await searchCities(ctx, text)).map((c) => c.displayName);

beforeAll(() => seedReference({ db: db(), now: new Date() }));

describe("searching", () => {
  test("sorts the best known city before others of the same name", async () => {
    expect((await names("Guntur"))[0]).toBe("Guntur, Andhra Pradesh");
    expect((await names("hyd"))[0]).toBe("Hyderabad, Telangana");
    expect((await names("vij"))[0]).toBe("Vijayawada, Andhra Pradesh");
    expect((await names("ben"))[0]).toBe("Bengaluru, Karnataka");
    expect(await names("Guntur")).toContain("Guntur, Hanamkonda, Telangana");
  });
  test("ignores accents, capitals and spaces", async () => {
    expect(await names("  GUNTŪR ")).toEqual(await names("guntur"));
    expect((await names("navi   mum"))[0]).toBe("Navi Mumbai, Maharashtra");
  });
  test("finds former names, and later words of a name", async () => {
    expect((await names("bangalore"))[0]).toBe("Bengaluru, Karnataka");
    expect((await names("vizag"))[0]).toBe("Visakhapatnam, Andhra Pradesh");
    expect((await names("rajahmundry"))[0]).toBe("Rajamahendravaram, East Godavari, Andhra Pradesh");
    expect(await names("delhi")).toContain("New Delhi, Delhi");
  });
  test("finds a mistyped name, and a name with its state", async () => {
    for (const [text, city] of [
      ["Vijaywada", "Vijayawada, Andhra Pradesh"],
      ["Hyderbad", "Hyderabad, Telangana"],
      ["gutnur", "Guntur, Andhra Pradesh"],
      ["Visakapatnam", "Visakhapatnam, Andhra Pradesh"],
      ["Guntur, AP", "Guntur, Andhra Pradesh"],
      ["guntur andhra pradesh", "Guntur, Andhra Pradesh"],
      ["Hyderbad, TS", "Hyderabad, Telangana"],
      ["Aurangabad, Bihar", "Aurangabad, Bihar"],
    ] as const)
      expect([text, (await names(text))[0]]).toEqual([text, city]);
    expect(await names("goa")).not.toEqual([]);
    for (const text of ["ap", "xq, AP", "qqqqqqqq", ", ,", "guntur".repeat(3)]) expect([text, await names(text)].length).toBe(2);
  });
  test("finds the city of a PIN code, with or without a blank", async () => {
    for (const [pin, city] of [
      ["520010", "Vijayawada, Andhra Pradesh"],
      ["522 001", "Guntur, Andhra Pradesh"],
      ["517501", "Tirupati, Andhra Pradesh"],
      ["515001", "Anantapur, Andhra Pradesh"],
      ["530016", "Visakhapatnam, Andhra Pradesh"],
      ["500034", "Hyderabad, Telangana"],
      ["560001", "Bengaluru, Karnataka"],
      ["600001", "Chennai, Tamil Nadu"],
      ["110001", "Delhi"],
      ["400001", "Mumbai, Maharashtra"],
    ] as const)
      expect([pin, await names(pin)]).toEqual([pin, [city]]);
    for (const none of ["000000", "012345", "999999", "5200", "5200101"]) expect([none, await names(none)]).toEqual([none, []]);
  });
  test("knows the city of each PIN area", async () => {
    const unknown: string[] = [];
    for (const city of new Set(PIN_AREAS.values())) {
      const [name = "", state = ""] = city.split("|");
      if (!(await findPlace(ctx, name, state))) unknown.push(city);
    }
    expect([PIN_AREAS.size > 700, unknown]).toEqual([true, []]);
  });
  test("returns at most eight, and none for fewer than two letters", async () => {
    expect(await searchCities(ctx, "ra")).toHaveLength(8);
    for (const text of ["", " ", "g", "%%", "__", "'", "zzzzqq"]) expect(await searchCities(ctx, text)).toEqual([]);
    expect(await searchCities(ctx, "guntur".repeat(10_000))).toEqual([]);
  });
  test("returns only the fields that a list shows", async () => {
    const [city] = await searchCities(ctx, "guntur");
    expect(Object.keys(city ?? {}).sort()).toEqual(["displayName", "district", "id", "name", "state"]);
  });
});

describe("places", () => {
  test("returns the city of a point", async () => {
    expect(await nearestCity(ctx, 16.499, 80.656)).toMatchObject({ name: "Vijayawada", state: "Andhra Pradesh" });
    expect(await nearestCity(ctx, 16.305, 80.437)).toMatchObject({ name: "Guntur", state: "Andhra Pradesh" });
    expect((await nearestCity(ctx, 16.305, 80.437))?.distanceKm).toBeLessThan(5);
  });
  test("returns none abroad or at sea", async () => {
    expect(await nearestCity(ctx, 51.5, -0.12)).toBeNull();
    expect(await nearestCity(ctx, 10, 68)).toBeNull();
  });
  test("defaults to Vijayawada, and finds it again by its id", async () => {
    const city = await defaultCity(ctx);
    expect(city).toMatchObject({ name: "Vijayawada", displayName: "Vijayawada, Andhra Pradesh" });
    expect(await getCity(ctx, city.id)).toEqual(city);
    expect(await getCity(ctx, String(city.id))).toEqual(city);
  });
  test("returns nothing for unknown and malformed ids", async () => {
    for (const id of [2_000_000_000, 0, -1, 1.5, "abc", "", "1; drop table cities", 9e15])
      await expect(getCity(ctx, id)).rejects.toMatchObject({ code: "not-found" });
  });
});
