import { describe, expect, it } from "vitest";
import { partOfTime, partsOf } from "./parts.ts";

describe("partsOf", () => {
  it("separates the sessions of a day at pauses of more than an hour", () => {
    const spans = [
      { from: "17:00", until: "20:00" },
      { from: "09:00", until: "09:30" },
      { from: "09:30", until: "10:00" },
      { from: "11:00", until: "13:00" },
    ];
    expect(partsOf(spans)).toEqual([
      { part: "morning", from: "09:00", until: "13:00" },
      { part: "evening", from: "17:00", until: "20:00" },
    ]);
  });
  it("puts two runs of one part of the day into one session", () => {
    expect(
      partsOf([
        { from: "07:00", until: "08:00" },
        { from: "10:00", until: "11:00" },
      ]),
    ).toEqual([{ part: "morning", from: "07:00", until: "11:00" }]);
  });
  it("has none on a day without times", () => {
    expect(partsOf([])).toEqual([]);
  });
});

describe("partOfTime", () => {
  const parts = partsOf([
    { from: "09:00", until: "13:00" },
    { from: "17:00", until: "20:00" },
  ]);
  it("finds the session of a time, also before the first and between two", () => {
    expect(["08:00", "09:00", "14:00", "17:00", "23:00"].map((time) => partOfTime(parts, time)?.part)).toEqual([
      "morning",
      "morning",
      "morning",
      "evening",
      "evening",
    ]);
    expect(partOfTime([], "09:00")).toBeUndefined();
  });
});
