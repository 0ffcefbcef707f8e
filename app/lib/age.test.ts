import { describe, expect, it } from "vitest";
import { LANGUAGES } from "#app/lib/language.ts";
import { ageAt, ageFrom, ageWord, isSmallChild, specifiedYears } from "./age.ts";
import { ageOn, monthsBetween } from "./dates.ts";
import { withLanguage } from "./language.server.ts";

describe("an age from a birth date", () => {
  it.each([
    ["2026-12-04", "under 1 day"],
    ["2026-12-03", "1 day"],
    ["2026-11-22", "12 days"],
    ["2026-11-05", "29 days"],
    // One month is over: weeks, until two months are over.
    ["2026-11-04", "4 weeks"],
    ["2026-10-23", "6 weeks"],
    ["2026-10-05", "8 weeks"],
    ["2026-10-04", "2 months"],
    ["2026-05-04", "7 months"],
    ["2025-12-04", "12 months"],
    ["2024-12-05", "23 months"],
    ["2024-12-04", "2 years"],
    ["2018-12-05", "7 years"],
    ["1906-12-05", "119 years"],
  ])("born %s is %s on 4 December 2026", (birthDate, word) => {
    expect(ageWord(ageFrom(birthDate, "2026-12-04"))).toBe(word);
  });

  it("counts a birth on 29 February or on the 31st from the first day after a month without that day", () => {
    expect([ageOn("2024-02-29", "2025-02-28"), ageOn("2024-02-29", "2025-03-01"), ageOn("2024-02-29", "2028-02-29")]).toEqual([0, 1, 4]);
    expect([ageFrom("2024-02-29", "2026-02-28"), ageFrom("2024-02-29", "2026-03-01")].map(ageWord)).toEqual(["23 months", "2 years"]);
    expect([monthsBetween("2026-01-31", "2026-02-28"), monthsBetween("2026-01-31", "2026-03-01")]).toEqual([0, 1]);
    expect(ageWord(ageFrom("2026-01-31", "2026-02-28"))).toBe("28 days");
  });

  it("never falls while the days pass, and is never 0 in words", () => {
    let before = -1;
    for (let day = 0; day < 1000; day++) {
      const on = new Date(Date.UTC(2024, 0, 31 + day)).toISOString().slice(0, 10);
      const { count, unit } = ageFrom("2024-01-31", on);
      const days = count * { days: 1, weeks: 7, months: 30, years: 365 }[unit];
      // A change of unit rounds down: at most one unit less.
      expect(days).toBeGreaterThan(before - 31);
      before = Math.max(before, days);
      expect(ageWord({ count, unit })).not.toMatch(/\b0\b/);
    }
  });

  it("takes a day before the birth for the day of birth", () => {
    expect(ageFrom("2026-12-04", "2026-12-01")).toEqual({ count: 0, unit: "days" });
  });
});

it("prefers the birth date to the age in years", () => {
  expect(ageAt(1, "2026-05-04", "2026-12-04")).toEqual({ count: 7, unit: "months" });
  expect(ageAt(46, null, "2026-12-04")).toEqual({ count: 46, unit: "years" });
});

it("stores 1 to 120 years, as specified", () => {
  const years = (birthDate: string) => specifiedYears(birthDate, "2026-12-04");
  expect(["2026-12-04", "2025-12-05", "2025-12-04", "2024-12-04", "1900-01-01"].map(years)).toEqual([1, 1, 1, 2, 120]);
});

it("asks for the birth date of children below two years", () => {
  expect([isSmallChild("2024-12-05", "2026-12-04"), isSmallChild("2024-12-04", "2026-12-04")]).toEqual([true, false]);
});

it("writes ages in each language", () => {
  const ages = [
    { count: 12, unit: "days" },
    { count: 1, unit: "weeks" },
    { count: 7, unit: "months" },
    { count: 1, unit: "years" },
    { count: 65, unit: "years", about: true },
    { count: 0, unit: "years" },
  ] as const;
  expect(LANGUAGES.map((language) => withLanguage(language, () => ages.map(ageWord).join(", ")))).toEqual([
    "12 days, 1 week, 7 months, 1 year, about 65 years, under 1 year",
    "12 రోజులు, 1 వారం, 7 నెలలు, 1 ఏడాది, సుమారు 65 ఏళ్లు, ఏడాది లోపు",
    "12 दिन, 1 हफ़्ता, 7 महीने, 1 साल, लगभग 65 साल, 1 साल से कम",
  ]);
});
