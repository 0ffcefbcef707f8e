import { expect, test } from "vitest";
import { placeCookie, readPlaceCookie } from "./place.server.ts";

const PLACE = { cityId: 7, name: "Guntur", displayName: "Guntur", latitude: 16.3051, longitude: 80.4371, accuracy: 25 };
const header = (cookie: string) => cookie.split(";")[0];

test("reads the place that it wrote", () => {
  expect(readPlaceCookie(header(placeCookie({ ...PLACE, source: "position" })))).toEqual({
    cityId: 7,
    source: "position",
    position: { latitude: 16.3051, longitude: 80.4371, accuracy: 25 },
  });
  expect(readPlaceCookie(header(placeCookie({ ...PLACE, source: "position", accuracy: null })))?.position?.accuracy).toBeNull();
  expect(readPlaceCookie(header(placeCookie({ ...PLACE, source: "search" })))).toEqual({ cityId: 7, source: "search", position: null });
});
test("ignores invalid places and positions", () => {
  for (const value of ["", "x", "0~search", "1.5~search", "7~nowhere", "9999999999~ip", "7", "~".repeat(500)])
    expect(readPlaceCookie(`nadi_place=${encodeURIComponent(value)}`), value).toBeNull();
  for (const value of ["7~position", "7~position~91~80~1", "7~position~a~b~c", "7~position~16~80~-5"])
    expect(readPlaceCookie(`nadi_place=${encodeURIComponent(value)}`), value).toMatchObject({ cityId: 7, position: null });
  expect(readPlaceCookie(null)).toBeNull();
});
