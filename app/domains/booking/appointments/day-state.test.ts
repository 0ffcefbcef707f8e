import { describe, expect, it } from "vitest";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { type DayRow, type DayState, dayStateOf, type NextStep, nextStepOf } from "./day-state.ts";

const today = "2026-11-27";
const row: DayRow = { status: "accepted", date: today, actions: ["cancel"] };
const token = (state: DayToken["state"], over: Partial<DayToken> = {}): DayToken => ({
  number: 3,
  eta: null,
  state,
  arrived: null,
  left: null,
  running: true,
  closed: false,
  ...over,
});

describe("dayStateOf", () => {
  it.each<[Partial<DayRow>, DayToken["state"] | null, DayState]>([
    [{ status: "pending" }, "arrived", "request"],
    [{ status: "cancelled" }, "left", "cancelled"],
    [{ status: "completed" }, "with-doctor", "done"],
    [{}, null, "accepted"],
    [{}, "expected", "accepted"],
    [{}, "lapsed", "accepted"],
    [{}, "arrived", "here"],
    [{}, "called", "called"],
    [{}, "with-doctor", "with-doctor"],
    [{}, "skipped", "skipped"],
    [{}, "done", "done"],
    [{}, "left", "left"],
    [{}, "no-show", "no-show"],
    [{ missed: true }, null, "no-show"],
  ])("%o with a token %s is %s", (over, state, expected) => {
    expect(dayStateOf({ ...row, ...over }, state ? token(state) : undefined)).toBe(expected);
  });
});

describe("nextStepOf", () => {
  const step = (by: "doctor" | "desk", over: Partial<DayRow>, of?: DayToken) => nextStepOf({ ...row, ...over }, of, { by, today });
  // The drawing third-agenda-3.
  it.each<[Partial<DayRow>, DayToken | undefined, NextStep | null]>([
    [{ status: "pending", actions: ["accept", "cancel"] }, undefined, "accept"],
    [{}, undefined, "check-in"],
    [{}, token("expected"), "check-in"],
    [{ due: "₹500" }, token("arrived"), "take"],
    [{}, token("arrived"), null],
    [{}, token("skipped"), "check-in"],
    [{}, token("with-doctor"), "done"],
    [{ due: "₹450" }, token("done"), "take"],
    [{ status: "completed", actions: [], due: "₹450" }, token("done"), "take"],
    [{}, token("done"), null],
    [{ missed: true }, token("no-show"), "here-now"],
    [{}, token("left"), "back-again"],
    [{}, token("left", { running: false, closed: true }), null],
    [{ date: "2026-11-28" }, undefined, null],
  ])("offers the desk for %o the step %#", (over, of, expected) => {
    expect(step("desk", over, of)).toBe(expected);
  });
  it("lets the doctor complete at once where no queue is running, and after it otherwise", () => {
    const started = { actions: ["complete", "cancel"] as const };
    expect(step("doctor", started)).toBe("complete");
    expect(step("desk", started)).toBe("check-in");
    expect(step("doctor", started, token("expected"))).toBe("check-in");
    expect(step("doctor", started, token("expected", { running: false }))).toBe("complete");
    expect(step("doctor", started, token("with-doctor"))).toBe("complete");
    expect(step("doctor", { ...started, due: "₹450" }, token("done"))).toBe("complete");
    expect(step("doctor", { status: "completed", actions: ["undo-complete"], due: "₹450" }, token("done"))).toBe("take");
  });
  it("takes presses of a queue that is still open after midnight", () => {
    expect(step("desk", { date: "2026-11-26" }, token("expected"))).toBe("check-in");
    expect(step("desk", { date: "2026-11-26" }, token("expected", { running: false }))).toBe(null);
  });
});
