import { describe, expect, it } from "vitest";
import { inUnits, scaleOf } from "./chart-scale.ts";
import { listed } from "./components/next-steps.tsx";
import { completionRate, doctorStats, growth, type MonthCounts, type StatsRange } from "./figures.ts";
import { firstEmptyWeek } from "./next-steps.ts";

const month = (key: string, counts: Partial<MonthCounts>): MonthCounts => ({
  month: key,
  pending: 0,
  accepted: 0,
  completed: 0,
  cancelled: 0,
  earnings: 0,
  ...counts,
});
const days = { todayAppointments: 0, todayEarnings: 0, weeklyEarnings: 0 };
const stats = (months: MonthCounts[], range: StatsRange = "6m", today = "2026-11-21") =>
  doctorStats({ today, months, days, uniquePatients: 3, consultationFee: 50_000 }, range);

describe("rates", () => {
  it("are empty without enough visits", () => {
    expect(completionRate(0, 0)).toBeNull();
    expect(growth(0, 500)).toBeNull();
    expect(growth(0, 0)).toBeNull();
  });
  it("are whole percentages", () => {
    expect(completionRate(2, 1)).toBe(67);
    expect(completionRate(0, 4)).toBe(0);
    expect(growth(200, 300)).toBe(50);
    expect(growth(300, 200)).toBe(-33);
    expect(growth(300, 0)).toBe(-100);
  });
});

describe("the trend", () => {
  const some = [
    month("2025-02", { completed: 1, earnings: 10_000 }),
    month("2026-10", { completed: 2, earnings: 40_000, accepted: 1 }),
    month("2026-11", { completed: 3, earnings: 60_000, pending: 1, cancelled: 2 }),
    month("2026-12", { accepted: 4 }),
  ];
  it.each([
    ["6m", 6, "2026-06"],
    ["12m", 12, "2025-12"],
    ["year", 11, "2026-01"],
    ["all", 22, "2025-02"],
  ] as const)("%s has %i months from %s to this one, without gaps", (range, count, first) => {
    const { monthlyTrend } = stats(some, range);
    expect(monthlyTrend).toHaveLength(count);
    expect(monthlyTrend[0]?.month).toBe(first);
    expect(monthlyTrend.at(-1)).toEqual({ month: "2026-11", earnings: 60_000, appointments: 4, completed: 3, cancelled: 2 });
  });
  it("is empty when no visit of the range is completed, without sample data", () => {
    expect(stats([month("2026-11", { accepted: 4, cancelled: 1 })]).monthlyTrend).toEqual([]);
    expect(stats([month("2025-02", { completed: 1 })], "6m").monthlyTrend).toEqual([]);
    expect(stats([], "all").monthlyTrend).toEqual([]);
  });
  it("shows completed visits without a fee as months without earnings", () => {
    expect(stats([month("2026-11", { completed: 2 })]).monthlyTrend.at(-1)).toMatchObject({ completed: 2, earnings: 0 });
  });
  it("compares growth with the last month, for any range", () => {
    for (const range of ["6m", "12m", "year", "all"] as const)
      expect(stats(some, range)).toMatchObject({ monthlyGrowth: 50, appointmentGrowth: 33 });
    expect(
      stats([month("2025-12", { completed: 1, earnings: 100 }), month("2026-01", { completed: 1, earnings: 150 })], "year", "2026-01-03"),
    ).toMatchObject({ monthlyGrowth: 50 });
  });
});

it("the average is exact to the paisa, and empty before the first patient", () => {
  expect(stats([month("2026-11", { completed: 3, earnings: 100_000 })]).avgEarningsPerPatient).toBe(33_333);
  expect(
    doctorStats({ today: "2026-11-21", months: [], days, uniquePatients: 0, consultationFee: null }, "6m").avgEarningsPerPatient,
  ).toBeNull();
});

describe("the axis of the chart", () => {
  it.each([
    [0, 100, 1],
    [90_000, 100, 1000],
    [2_450_000, 100_000, 25],
    [2_600_000, 100_000, 30],
    [100_000_000, 10_000_000, 10],
    [123_456_700, 10_000_000, 15],
  ])("of %i paise has steps of %i and ends at %i", (most, unit, top) => expect(scaleOf([0, most])).toMatchObject({ unit, top }));
  it("has short labels", () => {
    expect(inUnits(2_450_000, scaleOf([2_450_000]))).toBe("24.5");
    expect(inUnits(349_950, scaleOf([2_450_000]))).toBe("3.5");
    expect(inUnits(0, scaleOf([0]))).toBe("0");
  });
});

describe("a week without slots", () => {
  const today = "2026-11-21";
  it("is the next seven days when there are no slots", () => {
    expect(firstEmptyWeek([], today)).toEqual({ from: "2026-11-21", until: "2026-11-27" });
  });
  it("can begin later", () => {
    expect(firstEmptyWeek(["2026-11-21", "2026-11-23"], today)).toEqual({ from: "2026-11-24", until: "2026-11-30" });
  });
  it("is empty when every seven days of the fortnight have a slot", () => {
    expect(firstEmptyWeek(["2026-11-21", "2026-11-28", "2026-12-04"], today)).toBeNull();
  });
});

it("a list of missing parts reads as Intl writes it", () => {
  const words = ["a photo", "the fee", "languages", "something about you"];
  for (let count = 0; count <= words.length; count++)
    expect(listed(words.slice(0, count))).toBe(new Intl.ListFormat("en").format(words.slice(0, count)));
});
