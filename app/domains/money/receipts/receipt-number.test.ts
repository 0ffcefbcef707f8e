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
