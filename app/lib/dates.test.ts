import { describe, expect, it } from "vitest";
import * as d from "./dates.ts";

describe("one zone, India", () => {
  it.each([
    ["2026-11-21T18:29:59.999Z", "2026-11-21", "23:59"],
    ["2026-11-21T18:30:00.000Z", "2026-11-22", "00:00"],
    ["2026-12-31T20:00:00.000Z", "2027-01-01", "01:30"],
  ])("%s is %s %s", (instant, date, time) => {
    expect(d.todayInIndia(new Date(instant))).toBe(date);
    expect(d.timeInIndia(new Date(instant))).toBe(time);
  });
  it("gives back the instant of a local date and time", () => {
    expect(d.instantInIndia("2026-11-22", "00:00").toISOString()).toBe("2026-11-21T18:30:00.000Z");
    expect(d.instantInIndia("2026-11-22", "10:30:00").toISOString()).toBe("2026-11-22T05:00:00.000Z");
  });
});

describe("calendar", () => {
  it.each([
    ["2026-02-31", false],
    ["2028-02-29", true],
    ["2026-2-3", false],
    ["x", false],
    ["2026-13-01", false],
  ])("isDateKey(%s) is %s", (v, ok) => expect(d.isDateKey(v)).toBe(ok));
  it("adds days over a month's end and months over a short one", () => {
    expect(d.addDays("2026-11-30", 1)).toBe("2026-12-01");
    expect(d.addMonths("2026-08-31", 1)).toBe("2026-09-30");
    expect(d.addMonths("2026-11-21", 6)).toBe("2027-05-21");
    expect(d.addToMonth("2026-12", 1)).toBe("2027-01");
  });
  it("lays a month out in weeks from Sunday", () => {
    const grid = d.monthGrid("2026-11");
    expect(grid).toHaveLength(5);
    expect(grid[0]?.[0]).toBe("2026-11-01");
    expect(grid[4]).toEqual(["2026-11-29", "2026-11-30", null, null, null, null, null]);
  });
  it("counts an age on the birthday and the day before", () => {
    expect(d.ageOn("1990-11-22", "2026-11-21")).toBe(35);
    expect(d.ageOn("1990-11-22", "2026-11-22")).toBe(36);
  });
});

describe("as people read it", () => {
  it("writes dates and times", () => {
    expect(d.formatDate("2026-11-22")).toBe("22 Nov 2026");
    expect(d.formatDayLong("2026-11-22")).toBe("Sunday, 22 Nov 2026");
    expect(d.formatMonth("2026-11")).toBe("November 2026");
    expect(["00:00", "09:00", "12:00", "17:30:00"].map(d.formatTime)).toEqual(["12:00 AM", "9:00 AM", "12:00 PM", "5:30 PM"]);
    expect(d.formatInstant(new Date("2026-11-22T05:00:00Z"))).toBe("22 Nov 2026, 10:30 AM");
  });
  it.each([
    ["10:30 AM", "10:30"],
    ["12:00 am", "00:00"],
    ["12:15 PM", "12:15"],
    ["9:05PM", "21:05"],
    ["17:30", "17:30"],
    ["9:00:00", "09:00"],
    ["25:00", null],
    ["13:00 PM", null],
    ["noon", null],
  ])("parseTime(%s) is %s", (text, key) => expect(d.parseTime(text)).toBe(key));
});
