import type { DateKey, TimeKey } from "#app/lib/dates.ts";

/** Most patients of one time. The database has the same limit. */
export const MAX_SEATS = 10;
/** Most tokens of a session. The database has the same limit. */
export const MAX_TOKENS = 500;
/** Spans that a weekday can have: morning, evening and one more. */
export const SPANS = 3;
export type Span = { weekday: number; from: TimeKey; until: TimeKey };

/** From and until of a span as they are typed; empty for none. */
export type TypedSpan = { from: string; until: string };
/** Monday to Saturday. Sunday stays as it is. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6];

/** True for a weekday on which no time is typed. */
export const isEmptyDay = (hours: readonly TypedSpan[], day: number): boolean =>
  hours.slice(day * SPANS, day * SPANS + SPANS).every(({ from, until }) => !from && !until);

/** Copies the times of a weekday to Monday to Saturday, which open too. `hours`: three spans for each weekday, Sunday first. */
export function copyToWeekdays(
  hours: readonly TypedSpan[],
  open: readonly number[],
  copied: number,
): { hours: TypedSpan[]; open: number[] } {
  const from = (day: number, i: number) => hours[(WEEKDAYS.includes(day) ? copied : day) * SPANS + i] ?? { from: "", until: "" };
  return {
    hours: Array.from({ length: 7 * SPANS }, (_, n) => from(Math.floor(n / SPANS), n % SPANS)),
    open: [...(open.includes(0) ? [0] : []), ...WEEKDAYS],
  };
}

/** A leave of a doctor. `practiceId` null: everywhere. */
export type Leave = { id: string; practiceId: string | null; from: DateKey; until: DateKey; note: string | null };
