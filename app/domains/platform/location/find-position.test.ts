import { afterEach, expect, it, vi } from "vitest";
import { findPosition } from "./find-position.ts";

afterEach(() => vi.unstubAllGlobals());

/** Replaces the browser's geolocation with this answer and records its options. */
function browser(answer: (ok: (at: unknown) => void, no: (error: { code: number }) => void) => void) {
  const asked: PositionOptions[] = [];
  const getCurrentPosition = (ok: (at: unknown) => void, no: (error: { code: number }) => void, options: PositionOptions) => {
    asked.push(options);
    answer(ok, no);
  };
  vi.stubGlobal("navigator", { geolocation: { getCurrentPosition } });
  return asked;
}

it("requests high accuracy within 25 s, and accepts a position of the last five minutes (spec 001 §9)", async () => {
  const asked = browser((ok) => ok({ coords: { latitude: 16.5, longitude: 80.6, accuracy: 30, altitude: 20 } }));
  expect(await findPosition()).toEqual({ latitude: 16.5, longitude: 80.6, accuracy: 30 });
  expect(asked).toEqual([{ enableHighAccuracy: true, timeout: 25_000, maximumAge: 300_000 }]);
});

it.each([
  [1, "denied"],
  [2, "unavailable"],
  [3, "timed-out"],
  [99, "failed"],
])("maps code %i of a browser to %s", async (code, name) => {
  browser((_, no) => no({ code }));
  expect(await findPosition()).toBe(name);
});

it("reports a browser without geolocation", async () => {
  vi.stubGlobal("navigator", {});
  expect(await findPosition()).toBe("unsupported");
});
