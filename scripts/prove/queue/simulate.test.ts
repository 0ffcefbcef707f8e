import { expect, it } from "vitest";
import { randomOf, simulate } from "./simulate.ts";

it("estimates 60 sessions so that about half of the waits end by the lower figure and four of five by the upper one", () => {
  // `npm run prove -- queue` has the exact bounds: few days vary more.
  const { waits, byLow, byHigh, medianError } = simulate({ days: 60, seed: 20 });
  expect(waits).toBeGreaterThan(1_000);
  expect(byLow).toBeGreaterThan(0.4);
  expect(byLow).toBeLessThan(0.6);
  expect(byHigh).toBeGreaterThan(0.7);
  expect(byHigh).toBeLessThan(0.9);
  expect(medianError).toBeLessThan(8);
});

it("repeats a simulation with the same seed", () => {
  const random = randomOf(1);
  expect([random(), random()]).not.toEqual([random(), random()]);
  expect(simulate({ days: 3, seed: 4 })).toEqual(simulate({ days: 3, seed: 4 }));
});
