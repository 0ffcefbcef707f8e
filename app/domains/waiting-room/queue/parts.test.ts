import { describe, expect, it } from "vitest";
import { partOfStart, partOfTime, partsOf } from "./parts.ts";

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
  it.each([
    [["09:15–11:30", "12:30–14:00"], ["morning 09:15–14:00"]],
    [
      ["09:15–11:30", "12:31–14:00"],
      ["morning 09:15–11:30", "afternoon 12:31–14:00"],
    ],
    [["09:00–13:00", "10:00–11:00"], ["morning 09:00–13:00"]],
  ])("makes of %j %j", (times, sessions) => {
    const spans = times.map((time) => ({ from: time.slice(0, 5), until: time.slice(6) }));
    expect(partsOf(spans).map(({ part, from, until }) => `${part} ${from}–${until}`)).toEqual(sessions);
  });
  it("begins the afternoon at 12:00 and the evening at 16:00", () => {
    expect(["11:59", "12:00", "15:59", "16:00"].map(partOfStart)).toEqual(["morning", "afternoon", "afternoon", "evening"]);
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
