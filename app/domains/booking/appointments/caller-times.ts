import { type DateKey, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { type FreeTime, MAX_OPTIONS, type ProposedTime, parseTimeValue, timeValue } from "./proposal-times.ts";

/** Days that the form for a caller shows as links. */
const DAYS_SHOWN = 7;

/** The free times of the forms for a caller and for another time. `days`: the next days with free times, today first. `day`: the shown one; null without free times. */
export type CallerView = { today: DateKey; day: DateKey | null; days: { date: DateKey; free: number }[]; times: FreeTime[] };

/** Chooses the times that the form shows. @param day the day of the URL; another one than a day with free times is shown empty */
export function viewTimes(free: readonly FreeTime[], today: DateKey, day: string | null): CallerView {
  const byDay = Map.groupBy(free, ({ date }) => date);
  const days = [...byDay].slice(0, DAYS_SHOWN).map(([date, own]) => ({ date, free: own.length }));
  const shown = day && isDateKey(day) && day >= today ? day : (days[0]?.date ?? null);
  return { today, day: shown, days, times: shown ? (byDay.get(shown) ?? []) : [] };
}

/**
 * Chooses what the page that changes the time of an appointment shows. The URL has the day, whether several times can be ticked, and those that were ticked on
 * other days.
 */
export function viewChange(free: readonly FreeTime[], booked: ProposedTime, { now, request }: { now: Date; request: Request }) {
  const query = new URL(request.url).searchParams;
  const other = free.filter((slot) => timeValue(slot) !== timeValue(booked));
  const isFree = new Set(other.map(timeValue));
  const later = other.find(({ date }) => date > booked.date);
  return {
    // An appointment moves to a later day more often than to an earlier one.
    view: viewTimes(other, todayInIndia(now), query.get("day") ?? later?.date ?? null),
    several: query.has("several"),
    ticked: query
      .getAll("times")
      .filter((text) => parseTimeValue(text) && isFree.has(text))
      .slice(0, MAX_OPTIONS),
  };
}
