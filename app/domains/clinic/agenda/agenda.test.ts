import { describe, expect, it } from "vitest";
import { agendaFilter, byDay, weekOf } from "./agenda.ts";
import { daySummary, resultSentence } from "./words.ts";

const result = (outcome: Parameters<typeof resultSentence>[0][number]["outcome"]) => ({
  id: "1",
  patientName: "A",
  date: "2026-11-24",
  time: "10:00",
  outcome,
});

describe("agenda", () => {
  it("starts a week on Monday", () => {
    for (const day of ["2026-11-23", "2026-11-25", "2026-11-29"]) expect(weekOf(day)).toEqual({ from: "2026-11-23", to: "2026-11-29" });
  });
  it("ignores malformed filters", () => {
    const read = (query: string) => agendaFilter(new URLSearchParams(query), { search: "", page: 1 });
    expect(read("show=requests&day=2026-11-24&seen=1")).toMatchObject({ show: "requests", day: "2026-11-24", seen: true });
    expect(read("show=everything&day=2026-13-01&seen=yes")).toMatchObject({ show: "today", day: null, seen: false });
  });
  it("groups rows by day in their order", () => {
    const rows = [{ date: "2026-11-23" }, { date: "2026-11-24" }, { date: "2026-11-24" }];
    expect(byDay(rows).map(({ date, rows }) => [date, rows.length])).toEqual([
      ["2026-11-23", 1],
      ["2026-11-24", 2],
    ]);
  });
});

describe("the words of an agenda", () => {
  it("counts a day in the plural of each number", () => {
    const day = { date: "2026-11-24", folded: 3, walkIns: 0 };
    expect(daySummary({ ...day, total: 8, requests: 2 })).toBe("8 appointments, 2 requests.");
    expect(daySummary({ ...day, total: 1, requests: 1 })).toBe("1 appointment, 1 request.");
    expect(daySummary({ ...day, total: 3, requests: 0 })).toBe("3 appointments.");
    expect(daySummary({ ...day, total: 0, requests: 0 })).toBe("No appointments");
    expect(daySummary({ ...day, total: 3, requests: 0, walkIns: 1 })).toBe("3 appointments, 1 walk-in.");
    expect(daySummary({ ...day, total: 0, requests: 0, walkIns: 2 })).toBe("2 walk-ins.");
  });
  it("says what became of several requests", () => {
    expect(resultSentence([...Array.from({ length: 4 }, () => result("accepted")), result("was-cancelled")])).toBe(
      "4 accepted, 1 was cancelled meanwhile",
    );
    expect(resultSentence([result("was-cancelled"), result("was-cancelled")])).toBe("0 accepted, 2 were cancelled meanwhile");
    expect(resultSentence([result("failed")])).toBe("0 accepted, 1 failed, try again");
  });
});
