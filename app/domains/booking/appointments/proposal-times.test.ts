import { expect, it } from "vitest";
import { allotTimes, type FreeTime, parseTimeValue, timeValue } from "./proposal-times.ts";

const slot = (time: string, practiceId = "a"): FreeTime => ({ date: "2026-11-24", time, practiceId, place: null });
const visits = ["1", "2", "3"].map((id) => ({ id, practiceId: "a" }));
const times = (given: Map<string, FreeTime[]>) => [...given.values()].map((list) => list.map(({ time }) => time));

it("gives the first free times in order, a different one to each appointment", () => {
  expect(
    times(
      allotTimes(
        visits,
        ["09:00", "09:30", "10:00", "10:30"].map((time) => slot(time)),
        1,
      ),
    ),
  ).toEqual([["09:00"], ["09:30"], ["10:00"]]);
});
it("gives times again when there are too few, and none twice to one appointment", () => {
  expect(times(allotTimes(visits, [slot("09:00"), slot("09:30")], 3))).toEqual([
    ["09:00", "09:30"],
    ["09:00", "09:30"],
    ["09:00", "09:30"],
  ]);
  expect(times(allotTimes(visits, [], 3))).toEqual([[], [], []]);
});
it("prefers times of the appointment's own practice", () => {
  expect(times(allotTimes([{ id: "1", practiceId: "b" }], [slot("09:00"), slot("18:00", "b")], 1))).toEqual([["18:00"]]);
});
it("reads the times of a form", () => {
  expect(parseTimeValue(timeValue(slot("09:00")))).toEqual({ date: "2026-11-24", time: "09:00" });
  for (const text of ["", "2026-11-24", "2026-13-24 09:00", "2026-11-24 09:00 x", "2026-11-24 25:00"])
    expect(parseTimeValue(text)).toBeNull();
});
