import { beforeAll, describe, expect, it } from "vitest";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getPatientHead } from "#app/domains/patients/profile/queries.server.ts";
import type { Geocoder } from "#app/integrations/maps/geocoding.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { makePatient, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getOwnPlace, placeAgain, placeAtPosition, placeOfAddress, placeOfCity, savePlace } from "./choose-place.server.ts";
import { searchCities } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
let patient: Person;
beforeAll(async () => {
  patient = await makePatient(db);
});

/** Returns a context with these responses of the outside services. */
const withServices = (
  over: { cityAt?: Geocoder["cityAt"]; placeOf?: (ip: string) => Promise<{ latitude: number; longitude: number } | null> },
  actor: Actor = patient.actor,
): Ctx<Actor> => {
  const base = ctx(actor);
  const geocoder = over.cityAt ? { cityAt: over.cityAt } : null;
  return { ...base, integrations: { ...base.integrations, geocoder, ipPlaces: over.placeOf ? { placeOf: over.placeOf } : null } };
};
const GUNTUR = { latitude: 16.30512345, longitude: 80.43712345, accuracy: 25 };
const unavailable = () => Promise.reject(new DomainError("unavailable"));

describe("a position", () => {
  it("belongs to the nearest listed city, and is stored to ten metres", async () => {
    expect(await placeAtPosition(withServices({}), GUNTUR)).toMatchObject({
      name: "Guntur",
      source: "position",
      latitude: 16.3051,
      longitude: 80.4371,
      accuracy: 25,
    });
  });
  it("is named by the map service when one is configured", async () => {
    const place = await placeAtPosition(withServices({ cityAt: async () => ({ city: "Vijayawada", state: "Andhra Pradesh" }) }), GUNTUR);
    expect(place).toMatchObject({ name: "Vijayawada", latitude: 16.3051 });
  });
  it("uses the listed city when the service is down, finds nothing or names an unlisted city", async () => {
    for (const cityAt of [unavailable, async () => null, async () => ({ city: "Atlantis", state: "Andhra Pradesh" })])
      expect((await placeAtPosition(withServices({ cityAt }), GUNTUR))?.name).toBe("Guntur");
  });
  it("is refused outside India", async () => {
    expect(await placeAtPosition(withServices({}), { latitude: 51.5, longitude: -0.1, accuracy: null })).toBeNull();
  });
  it("is limited in number", async () => {
    const greedy = await makePatient(db);
    for (let i = 0; i < 60; i++) await placeAtPosition(withServices({}, greedy.actor), GUNTUR);
    await expect(placeAtPosition(withServices({}, greedy.actor), GUNTUR)).rejects.toMatchObject({ code: "too-many" });
  });
});

describe("an IP address", () => {
  it("returns a city only", async () => {
    const seen: string[] = [];
    const placeOf = async (ip: string) => {
      seen.push(ip);
      return { latitude: 17.3, longitude: 78.4 };
    };
    expect(await placeOfAddress(withServices({ placeOf }))).toMatchObject({
      name: "Hyderabad",
      source: "ip",
      latitude: 17.38405,
      accuracy: null,
    });
    expect(seen).toEqual(["127.0.0.1"]);
  });
  it("returns nothing without a service, and when it is down", async () => {
    expect(await placeOfAddress(withServices({}))).toBeNull();
    expect(await placeOfAddress(withServices({ placeOf: unavailable }))).toBeNull();
  });
});

describe("a patient's place", () => {
  it("is Vijayawada until a position or a city is chosen", async () => {
    const own = () => getOwnPlace(ctx(patient.actor));
    const near = async () => (await getPatientHead(ctx(patient.actor))).place;
    expect(await own()).toMatchObject({ name: "Vijayawada", source: null });
    const here = (await placeAtPosition(withServices({}), GUNTUR))!;
    await savePlace(ctx(patient.actor), here);
    expect(await own()).toEqual(here);
    expect(await near()).toEqual({ name: "Guntur", latitude: 16.3051, longitude: 80.4371, exact: true });
    const [hyderabad] = await searchCities(ctx(), "hyderabad");
    await savePlace(ctx(patient.actor), await placeOfCity(ctx(), hyderabad!.id));
    expect(await own()).toMatchObject({ name: "Hyderabad", source: "search", latitude: 17.38405, accuracy: null });
    const [row] = await sql`select latitude, longitude, accuracy from patients where id = ${patient.id}`;
    expect(row).toEqual({ latitude: null, longitude: null, accuracy: null });
  });
  it("refuses an unknown city", async () => {
    await expect(placeOfCity(ctx(), 2_000_000_000)).rejects.toMatchObject({ code: "not-found" });
    expect(await placeAgain(ctx(), { cityId: 2_000_000_000, position: null, source: "search" })).toBeNull();
  });
});
