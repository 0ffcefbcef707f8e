import { expect, it } from "vitest";
import { formatCount, shownCount } from "./numbers.ts";

it("groups counts as Indian English does", () => {
  const intl = new Intl.NumberFormat("en-IN");
  for (let count = 1; count < Number.MAX_SAFE_INTEGER; count = count * 7 + 3)
    for (const near of [count - 1, count, -count]) expect(formatCount(near)).toBe(intl.format(near));
});
it("writes a count above what was counted", () => {
  expect(formatCount(10_001, 10_000)).toBe("10,000+");
  expect(formatCount(10_000, 10_000)).toBe("10,000");
});
it("passes a count to a text with its number and as it is read", () => {
  expect(shownCount(123_456)).toEqual({ count: 123_456, shown: "1,23,456" });
});
