import { expect, it } from "vitest";
import { spokenTime } from "./use-spoken-time.ts";

it("speaks at each whole minute and in the last half minute, and otherwise not", () => {
  const spoken = Array.from({ length: 301 }, (_, i) => 300 - i).flatMap((left) => spokenTime(left) ?? []);
  expect(spoken).toEqual([
    "5 minutes left",
    "4 minutes left",
    "3 minutes left",
    "2 minutes left",
    "1 minute left",
    "30 seconds left",
    "10 seconds left",
  ]);
});
