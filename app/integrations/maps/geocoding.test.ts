import { describe, expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { ipPlaces } from "../ip-place/ip-place.server.ts";
import { googleGeocoder } from "./geocoding.server.ts";

const KEY = "key-of-the-test";
const LIMIT = 250;
const AT = { latitude: 16.3051, longitude: 80.4372 };

const part = (long_name: string, ...types: string[]) => ({ long_name, short_name: long_name === "India" ? "IN" : long_name, types });
const answer = (...parts: ReturnType<typeof part>[]) => ({
  body: JSON.stringify({ status: "OK", results: [{ address_components: parts }] }),
});
const GUNTUR = answer(
  part("Guntur", "locality", "political"),
  part("Andhra Pradesh", "administrative_area_level_1", "political"),
  part("India", "country", "political"),
);

async function faultOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  const shown = [String(error), String((error as DomainError).cause), (error as Error).stack].join();
  for (const secret of [KEY, "16.3051", "203.0.113.7"]) expect(shown).not.toContain(secret);
  expect((error as DomainError).code).toBe("unavailable");
  return String((error as DomainError).cause);
}

describe("Google geocoding", () => {
  const ask = async (reply: Reply) => {
    await using stub = await httpStub(() => reply);
    return { answer: await googleGeocoder({ key: KEY, baseUrl: stub.url }, LIMIT).cityAt(AT), seen: stub.seen };
  };
  test("sends latlng, English, city result types and the key", async () => {
    const { answer: city, seen } = await ask(GUNTUR);
    expect(city).toEqual({ city: "Guntur", state: "Andhra Pradesh" });
    const url = new URL(seen[0]!.path, "http://maps");
    expect(url.pathname).toBe("/maps/api/geocode/json");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      latlng: "16.3051,80.4372",
      language: "en",
      result_type: "locality|administrative_area_level_3|administrative_area_level_2",
      key: KEY,
    });
  });
  test("returns a district without a town, and nothing abroad or at sea", async () => {
    const state = part("Andhra Pradesh", "administrative_area_level_1");
    expect((await ask(answer(part("Palnadu", "administrative_area_level_2"), state, part("India", "country")))).answer?.city).toBe(
      "Palnadu",
    );
    expect((await ask(answer(part("Jaffna", "locality"), state, part("Sri Lanka", "country")))).answer).toBeNull();
    expect((await ask({ body: '{"status":"ZERO_RESULTS","results":[]}' })).answer).toBeNull();
  });
  test.each<[string, Reply, string]>([
    ["a refused key", { body: '{"status":"REQUEST_DENIED","error_message":"key-of-the-test is wrong"}' }, "REQUEST_DENIED"],
    ["no JSON", { body: "<html>" }, "status 200"],
    ["a fault of theirs", { status: 500, body: "{}" }, "status 500"],
    ["no answer", "hang", "no answer in time"],
    ["a broken line", "drop", "UND_ERR_SOCKET"],
  ])("reports %s as unavailable within the deadline, without secrets", async (_, reply, why) => {
    await using stub = await httpStub(() => reply);
    expect(await faultOf(googleGeocoder({ key: KEY, baseUrl: stub.url }, LIMIT).cityAt(AT))).toContain(why);
  });
});

describe("the place of an IP address", () => {
  const ask = async (reply: Reply, template = "/json/{ip}?fields=lat,lon") => {
    await using stub = await httpStub(() => reply);
    return { at: await ipPlaces(stub.url + template, LIMIT).placeOf("203.0.113.7"), path: stub.seen[0]?.path };
  };
  test("puts the IP address into the template, and reads both response formats", async () => {
    expect(await ask({ body: '{"lat":16.5,"lon":80.6}' })).toEqual({
      at: { latitude: 16.5, longitude: 80.6 },
      path: "/json/203.0.113.7?fields=lat,lon",
    });
    expect(await ask({ body: '{"latitude":16.5,"longitude":80.6,"city":"X"}' }, "/lookup")).toEqual({
      at: { latitude: 16.5, longitude: 80.6 },
      path: "/lookup/203.0.113.7",
    });
  });
  test("returns null for a response without a position", async () => {
    for (const body of ['{"error":true,"reason":"Reserved IP Address"}', '{"lat":916.5,"lon":80.6}', "[]", "no"])
      expect((await ask({ body })).at).toBeNull();
  });
  test("reports a service that is down as unavailable", async () => {
    for (const reply of ["hang", "drop", { status: 429, body: "{}" }] as Reply[]) {
      await using stub = await httpStub(() => reply);
      await faultOf(ipPlaces(stub.url, LIMIT).placeOf("203.0.113.7"));
    }
  });
});
