import { addDays, type DateKey, weekdayOf } from "#app/lib/dates.ts";

/** How many weeks the page shows, this week included. */
export const WEEK_RANGES = [4, 12, 26, 52] as const;
export type WeekRange = (typeof WEEK_RANGES)[number];
/** Returns the range of `?weeks=`; 12 weeks for other text. */
export const weekRangeOf = (text: string | null): WeekRange => WEEK_RANGES.find((weeks) => String(weeks) === text) ?? 12;

/** Counts of the bookings made in a period, and growth (docs/figures.md). */
export type Figures = {
  bookings: number;
  /** Median of the minutes from booking to acceptance; null when none was accepted. */
  acceptance: number | null;
  cancelledByPatient: number;
  cancelledByDoctor: number;
  cancelledByOthers: number;
  missed: number;
  newPatients: number;
  newDoctors: number;
};
/** `week`: its Monday. */
export type WeekFigures = Figures & { week: DateKey };

export const NO_FIGURES: Figures = {
  bookings: 0,
  acceptance: null,
  cancelledByPatient: 0,
  cancelledByDoctor: 0,
  cancelledByOthers: 0,
  missed: 0,
  newPatients: 0,
  newDoctors: 0,
};

/** Returns the Mondays of the last weeks in order, this week last. */
export function weeksUntil(today: DateKey, count: WeekRange): DateKey[] {
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7));
  return Array.from({ length: count }, (_, i) => addDays(monday, 7 * (i - count + 1)));
}

const STEPS = [1, 2, 4, 6, 8, 10];

/** Returns a round, even maximum for an axis of counts. */
export function axisTop(counts: readonly number[]): number {
  const most = Math.max(2, ...counts);
  const power = 10 ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? 10) * power;
}
