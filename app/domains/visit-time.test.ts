import { describe, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { changeDeadline, findLastSeen, findNext, hasPassed, isCancellable, isMovable } from "./visit-time.ts";

const clock = { date: "2026-11-22", time: "10:30" };
const visit = (date: string, time: string, status: AppointmentStatus = "accepted") => ({ date, time, status });

it("the next visit is the earliest open one that is not past (spec 001 §4.3)", () => {
  const list = [
    visit("2026-11-22", "10:00"),
    visit("2026-11-22", "10:30", "cancelled"),
    visit("2026-11-22", "10:30", "completed"),
    visit("2026-11-22", "10:30", "pending"),
    visit("2026-11-23", "09:00"),
  ];
  expect(findNext(list, clock)).toBe(list[3]);
  expect(findNext(list.slice(0, 3), clock)).toBeNull();
});

it("a time is past from its next minute", () => {
  expect(hasPassed(visit("2026-11-22", "10:30"), clock)).toBe(false);
  expect(hasPassed(visit("2026-11-22", "10:29"), clock)).toBe(true);
  expect(hasPassed(visit("2026-11-21", "23:30"), clock)).toBe(true);
  expect(hasPassed(visit("2026-11-23", "00:00"), clock)).toBe(false);
});

it("the previous visit took place: not pending, cancelled or in the future", () => {
  const list = [
    visit("2026-11-01", "10:00", "completed"),
    visit("2026-11-02", "10:00"),
    visit("2026-11-03", "10:00", "cancelled"),
    visit("2026-11-04", "10:00", "pending"),
    visit("2026-11-30", "10:00"),
  ];
  expect(findLastSeen(list, clock)).toBe(list[1]);
  expect(findLastSeen(list.slice(2), clock)).toBeNull();
});

describe("changes by the patient", () => {
  const hoursAhead = (hours: number) => new Date(instantInIndia("2026-11-22", "10:30").getTime() - hours * 3_600_000);
  const may = (hours: number, status: AppointmentStatus, doctorDelisted = false) => {
    const change = { ...visit("2026-11-22", "10:30", status), doctorDelisted };
    return [isMovable(hoursAhead(hours), change), isCancellable(hoursAhead(hours), change)];
  };

  it("moves and cancels until 24 hours before", () => {
    expect(may(24, "accepted")).toEqual([true, true]);
    expect(may(24, "pending")).toEqual([true, true]);
    expect(may(23.9, "accepted")).toEqual([false, false]);
  });
  it("cancels until the start a visit that is not accepted or whose doctor is suspended", () => {
    expect(may(23.9, "pending")).toEqual([false, true]);
    expect(may(0, "pending")).toEqual([false, true]);
    expect(may(-1, "pending")).toEqual([false, false]);
    expect(may(23.9, "accepted", true)).toEqual([false, true]);
    expect(may(48, "accepted", true)).toEqual([false, true]);
  });
  it("changes nothing that is completed or cancelled", () => {
    expect(may(48, "completed")).toEqual([false, false]);
    expect(may(48, "cancelled")).toEqual([false, false]);
  });
  it("returns the last minute to change, and none within 24 hours", () => {
    const slot = { date: "2026-11-22", time: "10:30" };
    expect(changeDeadline(hoursAhead(24), slot)).toEqual({ date: "2026-11-21", time: "10:30" });
    expect(changeDeadline(hoursAhead(23.9), slot)).toBeNull();
  });
});
