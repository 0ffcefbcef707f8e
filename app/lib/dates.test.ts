import { describe, expect, it } from "vitest";
import { m } from "#app/paraglide/messages.js";
import * as d from "./dates.ts";
import { withLanguage } from "./language.server.ts";
import { LANGUAGES } from "./language.ts";
import { formatRupees } from "./money.ts";

describe("time zone of India", () => {
  it.each([
    ["2026-11-21T18:29:59.999Z", "2026-11-21", "23:59"],
    ["2026-11-21T18:30:00.000Z", "2026-11-22", "00:00"],
    ["2026-12-31T20:00:00.000Z", "2027-01-01", "01:30"],
  ])("%s is %s %s", (instant, date, time) => {
    expect(d.todayInIndia(new Date(instant))).toBe(date);
    expect(d.timeInIndia(new Date(instant))).toBe(time);
    expect(d.secondInIndia(new Date(instant))).toBe(`${date} ${time}:${instant.slice(17, 19)}`);
  });
  it("converts a local date and time to an instant", () => {
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
    // January of the year 12026, as ISO 8601 also writes it.
    ["+012026-01", false],
  ])("isDateKey(%s) is %s", (v, ok) => expect(d.isDateKey(v)).toBe(ok));
  it.each([
    ["25/12/2026", "2026-12-25"],
    ["5-1-2026", "2026-01-05"],
    ["05.01.2026", "2026-01-05"],
    ["2026-12-25", "2026-12-25"],
    ["125/12/2026", "125/12/2026"],
    ["25/12/20261", "25/12/20261"],
    ["25 12 2026", "25 12 2026"],
    ["", ""],
  ])("dayFirst(%j) is %j", (text, date) => expect(d.dayFirst(text)).toBe(date));
  it("validates times and months", () => {
    expect(["00:00", "23:59", "24:00", "9:00", "10:30:00", "110:30"].filter(d.isTimeKey)).toEqual(["00:00", "23:59"]);
    const months = ["2026-00", "2026-09", "2026-10", "2026-12", "2026-13", "2026-1", "12026-11", "2026-11-22", "26-11"];
    expect(months.filter(d.isMonthKey)).toEqual(["2026-09", "2026-10", "2026-12"]);
    expect(d.monthOf("2026-11-22")).toBe("2026-11");
  });
  it("adds days across the end of a month, and months to a shorter month", () => {
    expect(d.addDays("2026-11-30", 1)).toBe("2026-12-01");
    expect(d.addMonths("2026-08-31", 1)).toBe("2026-09-30");
    expect(d.addMonths("2026-11-21", 6)).toBe("2027-05-21");
    expect(d.addToMonth("2026-12", 1)).toBe("2027-01");
  });
  it("splits a month into weeks that start on Sunday", () => {
    const grid = d.monthGrid("2026-11");
    expect(grid).toHaveLength(5);
    expect(grid[0]?.[0]).toBe("2026-11-01");
    expect(grid[4]).toEqual(["2026-11-29", "2026-11-30", null, null, null, null, null]);
    expect(d.monthGrid("2026-12")[0]).toEqual([null, null, "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04", "2026-12-05"]);
  });
  it("counts the age on the birthday and on the day before", () => {
    expect(d.ageOn("1990-11-22", "2026-11-21")).toBe(35);
    expect(d.ageOn("1990-11-22", "2026-11-22")).toBe(36);
  });
});

describe("formats", () => {
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
    [" 10:30 a.m. ", "10:30"],
    ["10:30 AM or PM", null],
    ["110:30", null],
  ])("parseTime(%s) is %s", (text, key) => expect(d.parseTime(text)).toBe(key));
});

describe("times", () => {
  it.each([
    ["en", "18:40", "19:05", "6:40–7:05 PM"],
    ["en", "11:30", "12:15", "11:30 AM – 12:15 PM"],
    ["te", "17:30", "18:30", "సాయంత్రం 5:30–6:30"],
    ["te", "18:40", "19:05", "సాయంత్రం 6:40 – రాత్రి 7:05"],
  ] as const)("%s writes %s until %s as %s", (language, from, until, span) => {
    expect(withLanguage(language, () => d.formatSpan({ from, until }))).toBe(span);
  });
  it.each(LANGUAGES)("%s writes AM and PM for the API", (language) => {
    const times = withLanguage(language, () => ["00:15", "11:59", "12:00", "17:30:00"].map(d.clockTime));
    expect(times).toEqual(["12:15 AM", "11:59 AM", "12:00 PM", "5:30 PM"]);
  });
  it("begin a part of the day, not end the one before", () => {
    expect(["11:59", "12:00", "16:59", "17:00"].map(d.partOfDay)).toEqual(["morning", "afternoon", "afternoon", "evening"]);
    const telugu = withLanguage("te", () => ["02:59", "03:00", "05:00", "18:59", "19:00"].map(d.formatTime));
    expect(telugu).toEqual(["రాత్రి 2:59", "తెల్లవారుజామున 3:00", "ఉదయం 5:00", "సాయంత్రం 6:59", "రాత్రి 7:00"]);
  });
});

describe("Telugu and Hindi formats", () => {
  const TELUGU = {
    date: "22 నవంబర్ 2026",
    day: "ఆది, 22 నవంబర్ 2026",
    short: "ఆది, 22 నవంబర్",
    long: "22 నవంబర్ 2026, ఆదివారం",
    month: "నవంబర్ 2026",
    leaf: { weekday: "ఆది", day: "22", month: "నవం 2026" },
    heads: ["ఆది", "సోమ", "మంగళ", "బుధ", "గురు", "శుక్ర", "శని"],
    instant: "22 నవంబర్ 2026, ఉదయం 10:30",
    times: ["రాత్రి 12:15", "తెల్లవారుజామున 4:00", "ఉదయం 9:00", "మధ్యాహ్నం 12:00", "మధ్యాహ్నం 3:30", "సాయంత్రం 5:30", "రాత్రి 8:00"],
  };
  const HINDI = {
    date: "22 नवंबर 2026",
    day: "रवि, 22 नवंबर 2026",
    short: "रवि, 22 नवंबर",
    long: "22 नवंबर 2026, रविवार",
    month: "नवंबर 2026",
    leaf: { weekday: "रवि", day: "22", month: "नवं 2026" },
    heads: ["रवि", "सोम", "मंगल", "बुध", "गुरु", "शुक्र", "शनि"],
    instant: "22 नवंबर 2026, सुबह 10:30",
    times: ["रात 12:15", "सुबह 4:00", "सुबह 9:00", "दोपहर 12:00", "दोपहर 3:30", "शाम 5:30", "रात 8:00"],
  };
  it.each([
    ["te", TELUGU],
    ["hi", HINDI],
  ] as const)("%s", (language, words) => {
    const formatted = withLanguage(language, () => ({
      date: d.formatDate("2026-11-22"),
      day: d.formatDay("2026-11-22"),
      short: d.formatDayShort("2026-11-22"),
      long: d.formatDayLong("2026-11-22"),
      month: d.formatMonth("2026-11"),
      leaf: d.leafOf("2026-11-22"),
      heads: d.weekdayHeads(),
      instant: d.formatInstant(new Date("2026-11-22T05:00:00Z")),
      times: ["00:15", "04:00", "09:00", "12:00", "15:30", "17:30", "20:00"].map(d.formatTime),
    }));
    expect(formatted).toEqual(words);
  });
  it.each(LANGUAGES)("%s lists each time under its part of the day", (language) => {
    withLanguage(language, () => {
      const headings = { morning: m.ui_morning(), afternoon: m.ui_afternoon(), evening: m.ui_evening() };
      for (let minute = 9 * 60; minute < 18 * 60; minute += 30) {
        const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
        const named = Object.values(headings).filter((heading) => d.formatTime(time).includes(heading));
        expect(language === "en" ? [] : [headings[d.partOfDay(time)]], time).toEqual(named);
      }
    });
  });
  it.each(LANGUAGES)("%s has seven days and twelve months, digits 0–9 and Indian groups", (language) => {
    withLanguage(language, () => {
      const days = Array.from({ length: 7 }, (_, i) => d.weekdayLong(i));
      const months = Array.from({ length: 12 }, (_, i) => d.addToMonth("2026-01", i));
      expect(new Set(days).size).toBe(7);
      for (const write of [d.formatMonth, d.monthShort, (month: string) => d.formatDate(`${month}-22`)]) {
        expect(new Set(months.map(write)).size).toBe(12);
        expect(months.map(write).join()).not.toMatch(/undefined|[\u0966-\u096f\u0c66-\u0c6f]/);
      }
      expect(formatRupees(123_456_750)).toBe("₹12,34,567.50");
    });
  });
});
