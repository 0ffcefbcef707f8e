import { expect, it } from "vitest";
import { oneWeekLater, timesOf, weekIn } from "./week.ts";

it("starts at the Monday of a day between this week and the last bookable one", () => {
  const read = (asked: string | null) => weekIn(asked, "2026-11-25", "2027-05-25");
  expect(read(null)).toBe("2026-11-23");
  expect(read("2026-12-03")).toBe("2026-11-30");
  expect(read("2020-01-01")).toBe("2026-11-23");
  expect(read("2030-01-01")).toBe("2027-05-24");
  expect(read("nonsense")).toBe("2026-11-23");
});

it("has a row for every usual time and for every other one that is used", () => {
  const day = {
    date: "2026-11-23",
    closed: null,
    elsewhere: {},
    away: [],
    slots: ["18:00"],
    booked: [{ id: "1", time: "07:15", name: "A" }],
  };
  expect(timesOf([day], ["09:00", "09:30"])).toEqual(["07:15", "09:00", "09:30", "18:00"]);
});

it("copies a week seven days later, without days before the first", () => {
  const week = new Map([
    ["2026-11-16", ["09:00"]],
    ["2026-11-18", ["10:00", "10:30"]],
  ]);
  expect(oneWeekLater(week, "2026-11-24")).toEqual([{ date: "2026-11-25", times: ["10:00", "10:30"] }]);
});
