/** The real clients against local servers that speak the wire formats of Gemini, Places and Overpass. */
import { describe, expect, it } from "vitest";
import { emergencyRuns, hospitals } from "#app/db/schema/index.ts";
import { noGemini } from "#app/integrations/gemini/gemini.server.ts";
import { googleGemini } from "#app/integrations/gemini/google.server.ts";
import { googlePlaces } from "#app/integrations/maps/google-places.server.ts";
import { overpass } from "#app/integrations/maps/overpass.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { sse, textReply } from "../../../../tests/mocks/gemini.ts";
import { httpStub, type Reply, type Seen } from "../../../../tests/mocks/http-stub.ts";
import { placesReply, type StubPlace } from "../../../../tests/mocks/places.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { findHospitals } from "./find-hospitals.server.ts";
import { endRun, findRun, locate, loseLocation, pressSos, stopRun, sweepRuns } from "./run.server.ts";

const { db, ctx } = testDb();
const HERE = { latitude: 16.5, longitude: 80.64 };
/** A place in India without a hospital of the directory. */
const NOWHERE = { latitude: 27.1, longitude: 71.2 };
const north = (km: number) => HERE.latitude + km / 111.2;

type Moods = { places?: (seen: Seen) => Reply; gemini?: () => Reply; overpass?: () => Reply };
/** Searches with these services. Services that are not named are not configured. */
let people = 0;
async function search(moods: Moods, { limit = 1_500, here = HERE, now = new Date(), ip = `10.0.0.${++people}` } = {}) {
  await using places = await httpStub((seen) => moods.places?.(seen) ?? "hang");
  await using gemini = await httpStub(() => moods.gemini?.() ?? "hang");
  await using over = await httpStub(() => moods.overpass?.() ?? "hang");
  const base = ctx(null, now);
  const began = performance.now();
  const found = await findHospitals(
    {
      ...base,
      ip,
      integrations: {
        ...base.integrations,
        gemini: moods.gemini ? googleGemini({ apiKey: "k", models: ["gemini-x"], baseUrl: gemini.url }) : noGemini,
        hospitals: {
          places: moods.places ? googlePlaces({ key: "secret-key", baseUrl: places.url }) : null,
          overpass: moods.overpass ? overpass(`${over.url}/api/interpreter`) : null,
        },
      },
    },
    here,
    limit,
  );
  return { ...found, ms: performance.now() - began, asked: { places: places.seen, gemini: gemini.seen, overpass: over.seen } };
}
const names = ({ hospitals: list }: { hospitals: { name: string }[] }) => list.map(({ name }) => name);

const CITY: StubPlace[] = [
  { id: "b", name: "Second", lat: north(1.5), lng: HERE.longitude, phone: "+91 866 257 7002" },
  { id: "a", name: "First", lat: north(0.5), lng: HERE.longitude, phone: "+91 866 257 7001" },
  { id: "c", name: "Third", lat: north(1.9), lng: HERE.longitude },
  { id: "d", name: "Closed", lat: north(0.1), lng: HERE.longitude, closed: true },
];
const MODEL = JSON.stringify([
  { name: "Third Hospital", address: "Ring Road", phone: "0866 257 7003" },
  { name: "Only The Model", address: "Somewhere", phone: "98765 43210" },
]);

describe("valid responses", () => {
  it("are merged, nearest first, with the model's number marked and last", async () => {
    const found = await search({ places: (seen) => placesReply(seen, CITY), gemini: () => textReply(MODEL) });
    expect(found.problem).toBeNull();
    expect(found.faults).toEqual([]);
    expect(found.hospitals).toMatchObject([
      { name: "First", phone: "+918662577001", phoneVerified: true },
      { name: "Second", phone: "+918662577002", phoneVerified: true },
      { name: "Third", phone: "+918662577003", phoneVerified: false },
    ]);
    const [nearby] = found.asked.places;
    expect(nearby?.path).toContain("/maps/api/place/nearbysearch/json?");
    expect(nearby?.path).toContain("radius=2000");
    expect(nearby?.path).toContain("type=hospital");
    // The model gets the position rounded to a hundred metres.
    expect(found.asked.gemini[0]?.body.toString()).toContain("16.500, 80.640");
  });
  it("widen the search from 2 km by 3 km, up to 10 km", async () => {
    const far: StubPlace[] = [{ id: "f", name: "Far", lat: north(9), lng: HERE.longitude }];
    const found = await search({ places: (seen) => placesReply(seen, far) });
    expect(names(found)).toEqual(["Far"]);
    const radii = found.asked.places.flatMap(({ path }) => new URL(path, "http://x").searchParams.get("radius") ?? []);
    expect(radii).toEqual(["2000", "5000", "8000", "10000"]);
  });
  it("read points and outlines of OpenStreetMap", async () => {
    const elements = [
      {
        type: "node",
        id: 1,
        lat: north(2),
        lon: HERE.longitude,
        tags: { amenity: "hospital", name: "Node", phone: "+91 866 2577004;+91 866 2577005" },
      },
      {
        type: "way",
        id: 2,
        center: { lat: north(1), lon: HERE.longitude },
        tags: { name: "తెలుగు", "name:en": "Way", "addr:street": "MG Road", "addr:city": "Vijayawada" },
      },
      { type: "relation", id: 3, tags: { name: "Nowhere" } },
      "garbage",
    ];
    const found = await search({ overpass: () => ({ body: JSON.stringify({ version: 0.6, elements }) }) });
    expect(found.hospitals).toMatchObject([
      { name: "Node", phone: "+918662577004" },
      { name: "Way", phone: null, address: "MG Road, Vijayawada" },
    ]);
    expect(decodeURIComponent(found.asked.overpass[0]!.body.toString())).toContain("around:10000,16.5,80.64");
  });
});

describe("no results", () => {
  const none = (seen: Seen) => placesReply(seen, []);
  it("without a hospital within 10 km", async () => expect((await search({ places: none }, { here: NOWHERE })).problem).toBe("none-10km"));
  it("without any service, uses the directory", async () => expect((await search({}, { here: NOWHERE })).problem).toBe("none-10km"));
  it("with the model alone", async () =>
    expect((await search({ gemini: () => textReply("[]") }, { here: NOWHERE })).problem).toBe("none-2km"));
});

const HTML = "<html><script>alert(1)</script></html>";
const BAD: [string, Reply][] = [
  ["an empty body", { body: "" }],
  ["garbage", { body: "}{ nonsense" }],
  ["HTML with a script", { body: HTML, headers: { "content-type": "text/html" } }],
  ["something else in JSON", { body: '{"a":[1,2]}' }],
  ["500", { status: 500, body: "{}" }],
  ["a line that drops", "drop"],
  ["silence", "hang"],
];
describe.each(BAD)("a service that answers %s", (_, reply) => {
  const limit = 400;
  it("loses only its own results, within the deadline", async () => {
    const good = (seen: Seen) => placesReply(seen, CITY);
    const model = await search({ places: good, gemini: () => reply, overpass: () => reply }, { limit });
    expect(names(model)).toEqual(["First", "Second", "Third"]);
    expect(model.faults).toHaveLength(2);
    const maps = await search({ places: () => reply, gemini: () => textReply(MODEL) }, { limit });
    expect(names(maps)).toEqual(["Third Hospital", "Only The Model"]);
    expect(maps.hospitals.every((h) => !h.phoneVerified)).toBe(true);
    expect(JSON.stringify(maps.faults.map(String))).not.toContain("secret-key");
  });
  it("alone returns the text of the specification", async () => {
    expect((await search({ places: () => reply }, { here: NOWHERE, limit })).problem).toBe("maps");
    expect((await search({ gemini: () => reply }, { here: NOWHERE, limit })).problem).toBe("unknown");
  });
});

describe("invalid provider data", () => {
  it.each([
    ["prose", "The nearest hospital is Apollo. Call 9876543210!"],
    ["an object", '{"hospitals":[]}'],
    ["fields of its own", '[{"name":"X Hospital","address":"a","phone":null,"href":"javascript:1"}]'],
    ["names that are none", '[{"name":42}]'],
    ["a list without end", JSON.stringify(Array(500).fill({ name: "Same", address: "", phone: null }))],
  ])("%s is no answer", async (_, text) => {
    expect((await search({ gemini: () => textReply(text) }, { here: NOWHERE })).problem).toBe("unknown");
  });
  it("removes markup in a valid response", async () => {
    const text = JSON.stringify([
      { name: "<script>alert(1)</script>", address: "x", phone: "108" },
      { name: "Clean", address: "<img src=x>", phone: "javascript:alert(1)" },
    ]);
    const found = await search({ gemini: () => textReply(text) }, { here: NOWHERE });
    expect(found.hospitals).toMatchObject([{ name: "Clean", address: "", phone: null }]);
  });
  it("returns nothing for a blocked response", async () => {
    const reply = () => sse({ candidates: [{ content: { role: "model", parts: [{ text: "[]" }] }, finishReason: "SAFETY" }] });
    expect((await search({ gemini: reply }, { here: NOWHERE })).problem).toBe("unknown");
  });
  it.each(["REQUEST_DENIED", "OVER_QUERY_LIMIT", "<b>"])("treats %s of Places as a failure", async (status) => {
    const reply = { body: JSON.stringify({ status, results: [], error_message: "secret" }) };
    const found = await search({ places: () => reply }, { here: NOWHERE });
    expect(found.problem).toBe("maps");
    expect(JSON.stringify(found.faults.map(String))).not.toContain("secret");
  });
  it("ignores places on another continent", async () => {
    const abroad = { place_id: "x", name: "Abroad", geometry: { location: { lat: 51.5, lng: -0.1 } } };
    const found = await search({ places: () => ({ body: JSON.stringify({ status: "OK", results: [abroad] }) }) }, { here: NOWHERE });
    expect(found.hospitals).toEqual([]);
  });
  it("shows a hospital without waiting for its phone number", async () => {
    const found = await search({ places: (seen) => (seen.path.includes("/details/") ? "hang" : placesReply(seen, CITY)) });
    expect(names(found)).toEqual(["First", "Second", "Third"]);
    expect(found.hospitals.every((h) => h.phone === null)).toBe(true);
  });
});

it("beyond the limit of an address, uses the directory alone", async () => {
  await db
    .insert(hospitals)
    .values({ name: "Our Own", category: "Hospital", address: "A", city: "C", state: "S", phone: "0866 2577009", ...NOWHERE });
  const now = new Date();
  const places = (seen: Seen) =>
    placesReply(
      seen,
      CITY.map((p) => ({ ...p, lat: NOWHERE.latitude, lng: NOWHERE.longitude })),
    );
  const outcomes = await Promise.all(
    Array.from({ length: 34 }, () => search({ places }, { here: NOWHERE, now, limit: minutes(2), ip: "10.1.1.1" })),
  );
  expect(outcomes.every((o) => names(o).includes("Our Own"))).toBe(true);
  expect(outcomes.filter((o) => o.asked.places.length > 0)).toHaveLength(30);
});

describe("a run", () => {
  const later = (s: number) => ctx(null, new Date(START.getTime() + s * 1000));
  const START = new Date("2026-11-21T06:00:00Z");
  it("starts contacting, moves on with the clock, and can be stopped", async () => {
    const id = await pressSos(later(0));
    expect(await findRun(later(0), id)).toMatchObject({ state: "GETTING_LOCATION" });
    const located = await locate(later(5), id, NOWHERE);
    expect(located).toMatchObject({ id, view: { state: "CONTACTING" } });
    expect(await findRun(later(6), id)).toMatchObject({ state: "CONTACTING", index: 0 });
    expect(await findRun(later(40), id)).toMatchObject({ state: "COMPLETED" }); // one hospital only
    await stopRun(later(10), id);
    expect(await findRun(later(610), id)).toMatchObject({ state: "COMPLETED", stopped: true });
    // Who opens the page later needs help again.
    expect(await findRun(later(611), id)).toMatchObject({ state: "IDLE", stopped: false });
    await endRun(later(12), id);
    expect(await findRun(later(12), id)).toMatchObject({ state: "IDLE" });
  });
  it("stores no position", async () => {
    const { id } = await locate(later(0), null, { latitude: 27.10123, longitude: 71.20456 });
    expect(id).toBeTruthy();
    const rows = JSON.stringify(await db.select().from(emergencyRuns));
    expect(rows).not.toMatch(/27\.10123|71\.20456/);
  });
  it("searches once for two presses at once", async () => {
    const id = await pressSos(later(0));
    let asked = 0;
    const base = later(1);
    const places = {
      async near() {
        asked++;
        return [];
      },
    };
    const both = { ...base, integrations: { ...base.integrations, hospitals: { places, overpass: null } } };
    await Promise.all(Array.from({ length: 20 }, () => locate(both, id, NOWHERE)));
    expect(asked).toBe(1);
    expect(await findRun(later(2), id)).toMatchObject({ state: "CONTACTING" });
  });
  it("reports a denied position, and a typed place continues the run", async () => {
    const id = await loseLocation(later(0), null, "denied");
    expect(await findRun(later(1), id)).toMatchObject({ state: "ERROR", problem: "denied" });
    await locate(later(2), id, { typed: "no such place at all" });
    expect(await findRun(later(3), id)).toMatchObject({ state: "ERROR", problem: "unknown-place" });
    await db.update(hospitals).set({ pinCode: "345001", area: "Old Fort", city: "Desert" });
    for (const typed of ["345001", "345 001", "pin 345999", "old fort", "Old Fort, Desert"]) {
      const continued = await locate(later(4), null, { typed });
      expect(await findRun(later(5), continued.id), typed).toMatchObject({ state: "CONTACTING", hospitals: [{ name: "Our Own" }] });
    }
  });
  it("treats a malformed id as not found, and deletes old runs", async () => {
    for (const id of [null, "", "x", "x".repeat(5000)]) expect(await findRun(later(0), id)).toMatchObject({ state: "IDLE" });
    const id = await pressSos(later(0));
    expect(await findRun(later(3601), id)).toMatchObject({ state: "IDLE" });
    await sweepRuns(ctx(null, new Date(START.getTime() + hours(2))));
    expect(await db.select().from(emergencyRuns)).toEqual([]);
  });
});
