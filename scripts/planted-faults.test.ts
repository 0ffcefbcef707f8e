/** Each planted fault changes one place that exists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FAULTS } from "./planted-faults.ts";

it("plants each fault in one place", () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(40);
  const places = FAULTS.map(({ what, file, from }) => [
    what,
    readFileSync(join(import.meta.dirname, "..", file), "utf8").split(from).length - 1,
  ]);
  expect(places.filter(([, count]) => count !== 1)).toEqual([]);
});
