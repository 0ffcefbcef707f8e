import { type DateKey, instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";

/** The longest delay of a start that can be announced, in minutes. */
export const LONGEST_DELAY = hours(8) / minutes(1);
const DAY = hours(24) / minutes(1);
const STEP = minutes(5);
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Returns how many minutes after the planned start a time of the clock is. Negative: before the start. A time that is more than half a day before the start is
 * that of the next day: a session keeps its date past midnight.
 */
export function minutesLate(startsAt: string, at: TimeKey): number {
  const late = minuteOf(at) - minuteOf(startsAt);
  return late < -DAY / 2 ? late + DAY : late;
}

type Start = { date: DateKey; startsAt: string; lateMinutes: number };
/** Returns when the doctor is expected: the planned start, or the time that was announced. */
export const doctorExpectedAt = ({ date, startsAt, lateMinutes }: Start): Date =>
  new Date(instantInIndia(date, startsAt.slice(0, 5)).getTime() + minutes(lateMinutes));

/** Returns the time that the form proposes: 20 minutes after what is known and not over, in steps of 5 minutes. */
export function proposedStart(session: Start, now: Date): Date {
  const known = Math.max(doctorExpectedAt(session).getTime(), now.getTime());
  return new Date(Math.ceil((known + minutes(20)) / STEP) * STEP);
}
