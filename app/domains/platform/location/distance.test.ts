import { expect, test } from "vitest";
import { distanceKm } from "./distance.ts";
import { CoordinatesSchema, cityDisplayName, searchKey } from "./location.schema.ts";

const vijayawada = { latitude: 16.50745, longitude: 80.6466 };
const guntur = { latitude: 16.29974, longitude: 80.45729 };
const hyderabad = { latitude: 17.38405, longitude: 78.45636 };

test("known distances", () => {
  expect(distanceKm(vijayawada, guntur)).toBeCloseTo(30.7, 0);
  expect(distanceKm(vijayawada, hyderabad)).toBeGreaterThan(245);
  expect(distanceKm(vijayawada, hyderabad)).toBeLessThan(260);
  expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(20015.1, 0);
});
test("is symmetric, zero between equal points, and correct across the date line", () => {
  expect(distanceKm(guntur, hyderabad)).toBe(distanceKm(hyderabad, guntur));
  expect(distanceKm(guntur, guntur)).toBe(0);
  expect(distanceKm({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })).toBeLessThan(23);
});
test("compares names without accents and punctuation", () => {
  expect(searchKey("  Guntūr ")).toBe("guntur");
  expect(searchKey("Alluri-Sitharama  Raju")).toBe("alluri sitharama raju");
  expect(searchKey("%_\\'")).toBe("");
});
test("adds the district only when the name needs it", () => {
  expect(cityDisplayName({ name: "Guntur", state: "Andhra Pradesh", district: "Guntur", rank: 1900 })).toBe("Guntur, Andhra Pradesh");
  expect(cityDisplayName({ name: "Rampur", state: "Himachal Pradesh", district: "Shimla", rank: 0 })).toBe(
    "Rampur, Shimla, Himachal Pradesh",
  );
  expect(cityDisplayName({ name: "Delhi", state: "Delhi", district: "", rank: 1999 })).toBe("Delhi");
});
test("accepts coordinates of the Earth only", () => {
  expect(CoordinatesSchema.safeParse({ latitude: "16.5", longitude: "80.6" }).data).toEqual({ latitude: 16.5, longitude: 80.6 });
  for (const bad of [{ latitude: 91, longitude: 0 }, { latitude: 0, longitude: 181 }, { latitude: "x", longitude: 0 }, {}])
    expect(CoordinatesSchema.safeParse(bad).success).toBe(false);
});
