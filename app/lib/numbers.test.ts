import { expect, it } from "vitest";
import { formatCount } from "./numbers.ts";

it("groups counts as Indian English does", () => {
  const intl = new Intl.NumberFormat("en-IN");
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count = count * 7 + 3)
    for (const near of [count - 1, count, -count]) expect(formatCount(near)).toBe(intl.format(near));
});
it("writes a count above what was counted", () => {
  expect(formatCount(10_001, 10_000)).toBe("10,000+");
  expect(formatCount(10_000, 10_000)).toBe("10,000");
});
