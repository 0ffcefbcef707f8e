import { describe, expect, it } from "vitest";
import { weekdayOf } from "#app/lib/dates.ts";
import { expandPattern, previewPattern } from "./weekly-pattern.ts";

const pattern = { from: "2026-11-23", until: "2026-12-06", weekdays: [1, 3], slots: ["09:00", "09:30"], except: [] as string[] };
const dates = (over: Partial<typeof pattern>) => expandPattern({ ...pattern, ...over }).map((d) => d.date);

describe("the days of a pattern", () => {
  it("include every chosen weekday from the first to the last day, also across the end of a month", () => {
    expect(dates({})).toEqual(["2026-11-23", "2026-11-25", "2026-11-30", "2026-12-02"]);
    expect(dates({ from: "2026-11-25", until: "2026-11-25" })).toEqual(["2026-11-25"]);
  });
  it("omit days off, also days off outside the pattern", () => {
    expect(dates({ except: ["2026-11-30", "2026-11-24", "2026-11-30"] })).toEqual(["2026-11-23", "2026-11-25", "2026-12-02"]);
  });
  it("continue across the end of a year and 29 February", () => {
    expect(dates({ from: "2026-12-30", until: "2027-01-04", weekdays: [1, 3] })).toEqual(["2026-12-30", "2027-01-04"]);
    expect(dates({ from: "2028-02-28", until: "2028-03-01", weekdays: [0, 1, 2, 3, 4, 5, 6] })).toEqual([
      "2028-02-28",
      "2028-02-29",
      "2028-03-01",
    ]);
  });
  it("are empty when no chosen weekday is between the dates", () => expect(dates({ from: "2026-11-24", until: "2026-11-24" })).toEqual([]));
  it("contain each Sunday of six months once", () => {
    const sundays = dates({ from: "2026-11-21", until: "2027-05-21", weekdays: [0] });
    expect(new Set(sundays).size).toBe(sundays.length);
    expect(sundays).toHaveLength(26);
    expect(sundays.every((d) => weekdayOf(d) === 0)).toBe(true);
  });
});

it("the preview marks which slots are new and which exist", () => {
  const there = new Map([
    ["2026-11-23", ["09:00", "17:30"]],
    ["2026-11-24", ["09:00"]],
  ]);
  expect(previewPattern({ ...pattern, until: "2026-11-25" }, there)).toEqual([
    { date: "2026-11-23", added: ["09:30"], unchanged: ["09:00", "17:30"] },
    { date: "2026-11-25", added: ["09:00", "09:30"], unchanged: [] },
  ]);
});
