import { describe, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import {
  actionsOfDoctor,
  findLastSeen,
  findNext,
  firstChangeable,
  hasPassed,
  hasStarted,
  isCancellable,
  isInTime,
  isOver,
  isReschedulable,
  isUndoable,
  minuteInIndia,
  minutesUntil,
  rescheduleDeadline,
} from "./visit-time.ts";

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
  expect(findLastSeen([list[0]!, { ...list[4]!, status: "completed" }, list[4]!], clock)?.date).toBe("2026-11-30");
  expect(findLastSeen(list.slice(2), clock)).toBeNull();
  // Neither one that the patient missed, nor one of a token that still waits.
  expect(findLastSeen([{ ...list[1]!, missed: true }], clock)).toBeNull();
  expect(findLastSeen([{ ...list[1]!, inQueue: true }], clock)).toBeNull();
});

it("a token is over after its expected time, and not while it waits or is inside", () => {
  const token = visit("2026-11-22", "09:00");
  expect(isOver(token, clock)).toBe(true);
  expect(isOver({ ...token, expectedTime: null }, clock)).toBe(true);
  expect(isOver({ ...token, expectedTime: "10:29" }, clock)).toBe(true);
  expect(isOver({ ...token, expectedTime: "10:30" }, clock)).toBe(false);
  expect(isOver({ ...token, inQueue: true }, clock)).toBe(false);
  expect(findNext([{ ...token, expectedTime: "10:30" }], clock)?.time).toBe("09:00");
});

describe("the clock of a visit", () => {
  const start = instantInIndia("2026-11-22", "10:30").getTime();
  const at = (seconds: number) => new Date(start + seconds * 1_000);
  const of = (status: AppointmentStatus, completedAt: Date | null = null) => ({ ...visit("2026-11-22", "10:30", status), completedAt });

  it("is read in India", () => {
    expect(minuteInIndia(at(59))).toEqual(clock);
    expect(firstChangeable(at(0))).toEqual({ date: "2026-11-23", time: "10:30" });
  });
  it("starts it at its minute", () => {
    expect([-1, 0, 60].map((seconds) => hasStarted(at(seconds), clock))).toEqual([false, true, true]);
  });
  it("counts whole minutes until the start", () => {
    expect([-90, -60, 0, 60, 90].map((seconds) => minutesUntil(at(seconds), clock))).toEqual([2, 1, 0, -1, -1]);
  });
  it("lets a completion be undone for ten minutes", () => {
    expect([0, 599, 600].map((seconds) => isUndoable(at(seconds), { completedAt: at(0) }))).toEqual([true, true, false]);
    expect(isUndoable(at(0), { completedAt: null })).toBe(false);
  });
  it("allows its doctor what the state and the clock allow", () => {
    expect(actionsOfDoctor(at(-1), of("pending"))).toEqual(["accept", "cancel"]);
    expect(actionsOfDoctor(at(-1), of("accepted"))).toEqual(["cancel"]);
    expect(actionsOfDoctor(at(0), of("accepted"))).toEqual(["complete", "cancel"]);
    expect(actionsOfDoctor(at(599), of("completed", at(0)))).toEqual(["undo-complete"]);
    expect(actionsOfDoctor(at(600), of("completed", at(0)))).toEqual([]);
    expect(actionsOfDoctor(at(0), of("cancelled"))).toEqual([]);
  });
  it("lets a visit that the queue has called in be completed before its time", () => {
    expect(actionsOfDoctor(at(-1), { ...of("accepted"), inside: true })).toEqual(["complete", "cancel"]);
  });
  it("is asked for completing and undoing only", () => {
    expect(isInTime(at(-1), of("pending"), "accept")).toBe(true);
    expect(isInTime(at(-1), of("accepted", at(-1)), "complete")).toBe(false);
    expect(isInTime(at(-1), { ...of("accepted"), inside: false }, "complete")).toBe(false);
    expect(isInTime(at(0), of("completed"), "undo-complete")).toBe(false);
  });
});

describe("changes by the patient", () => {
  const hoursAhead = (hours: number) => new Date(instantInIndia("2026-11-22", "10:30").getTime() - hours * 3_600_000);
  const may = (hours: number, status: AppointmentStatus, doctorDelisted = false, refundHours = 24) => {
    const change = { ...visit("2026-11-22", "10:30", status), doctorDelisted, movedByDoctor: false, refundHours };
    return [isReschedulable(hoursAhead(hours), change), isCancellable(hoursAhead(hours), change)];
  };

  it("moves and cancels until 24 hours before", () => {
    expect(may(24, "accepted")).toEqual([true, true]);
    expect(may(24, "pending")).toEqual([true, true]);
    expect(may(23.9, "accepted")).toEqual([false, false]);
  });
  it.each([12, 6, 2, 0])("cancels until %s hours before where the clinic says so, and moves until 24 hours before", (hours) => {
    expect(may(24, "accepted", false, hours)).toEqual([true, true]);
    expect(may(23.9, "accepted", false, hours)).toEqual([false, true]);
    expect(may(hours, "accepted", false, hours)).toEqual([false, true]);
    expect(may(hours - 0.1, "accepted", false, hours)).toEqual([false, false]);
  });
  it("is never stricter than 24 hours", () => {
    expect(may(24, "accepted", false, 48)).toEqual([true, true]);
  });
  it("cancels until the start a visit that is not accepted or whose doctor is suspended", () => {
    expect(may(23.9, "pending")).toEqual([false, true]);
    expect(may(0, "pending")).toEqual([false, true]);
    expect(may(-1, "pending")).toEqual([false, false]);
    expect(may(23.9, "accepted", true)).toEqual([false, true]);
    expect(may(48, "accepted", true)).toEqual([false, true]);
  });
  it("cancels until the start a visit that the doctor moved", () => {
    const moved = { ...visit("2026-11-22", "10:30"), doctorDelisted: false, movedByDoctor: true, refundHours: 24 };
    expect([1, 0, -1].map((hours) => isCancellable(hoursAhead(hours), moved))).toEqual([true, true, false]);
    expect(isReschedulable(hoursAhead(1), moved)).toBe(false);
  });
  it("changes nothing that is completed or cancelled", () => {
    expect(may(48, "completed")).toEqual([false, false]);
    expect(may(48, "cancelled")).toEqual([false, false]);
  });
  it("returns the last minute to change, and none within 24 hours", () => {
    const slot = { date: "2026-11-22", time: "10:30" };
    expect(rescheduleDeadline(hoursAhead(24), slot)).toEqual({ date: "2026-11-21", time: "10:30" });
    expect(rescheduleDeadline(hoursAhead(23.9), slot)).toBeNull();
  });
});
