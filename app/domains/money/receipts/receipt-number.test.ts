import { expect, it } from "vitest";
import { financialYearOf, receiptNumber } from "./receipt-number.ts";

it.each([
  ["2026-03-31", "2025-26"],
  ["2026-04-01", "2026-27"],
  ["2026-12-31", "2026-27"],
  ["2027-01-01", "2026-27"],
  ["2099-04-01", "2099-00"],
])("counts %s in the Indian financial year %s", (day, year) => expect(financialYearOf(day)).toBe(year));

it("writes the year and six digits", () => expect(receiptNumber({ financialYear: "2026-27", number: 418 })).toBe("2026-27/000418"));

it("has at most 16 characters of the signs that rule 46 allows, and no number twice across 31 March", () => {
  const numbers = ["2026-03-30", "2026-03-31", "2026-04-01", "2099-04-01"].flatMap((day) =>
    [1, 999_999, 1_000_000, 9_999_999].map((number) => receiptNumber({ financialYear: financialYearOf(day), number })),
  );
  for (const number of numbers) expect(number).toMatch(/^[A-Za-z0-9/-]{1,16}$/);
  // 30 and 31 March are one year, 1 April begins with 1 again.
  expect(new Set(numbers).size).toBe(3 * 4);
});
