import { addDays, type DateKey, isDateKey, type TimeKey } from "#app/lib/dates.ts";
import { weekOf } from "../agenda/agenda.ts";

/** A day of the grid. `closed`: no time can be opened, because it is past, on leave or too far ahead. */
export type WeekDay = {
  date: DateKey;
  slots: TimeKey[];
  /** The place of each slot that is not in the first practice. */
  elsewhere: Partial<Record<TimeKey, string>>;
  booked: { id: string; time: TimeKey; name: string }[];
  /** Places that are on leave while others are not. */
  away: string[];
  closed: "past" | "leave" | "far" | null;
};

/** Returns the Monday of the week in a URL, between this week and the last one that can be booked. */
export function weekIn(asked: string | null, today: DateKey, last: DateKey): DateKey {
  const day = asked && isDateKey(asked) ? asked : today;
  return weekOf(day < today ? today : day > last ? last : day).from;
}

/** Returns the times of the grid's rows: the usual ones, and others on which one of the days has a slot or an appointment. */
export function timesOf(days: readonly WeekDay[], usual: readonly TimeKey[]): TimeKey[] {
  return [...new Set([...usual, ...days.flatMap((day) => [...day.slots, ...day.booked.map(({ time }) => time)])])].sort();
}

/** Returns the slots of a week one week later, from `from` on. */
export const oneWeekLater = (days: ReadonlyMap<DateKey, TimeKey[]>, from: DateKey): { date: DateKey; times: TimeKey[] }[] =>
  [...days].map(([date, times]) => ({ date: addDays(date, 7), times })).filter(({ date }) => date >= from);
