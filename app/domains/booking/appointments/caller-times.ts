import { type DateKey, isDateKey } from "#app/lib/dates.ts";
import type { FreeTime } from "./proposal-times.ts";

/** Days that the form for a caller shows as links. */
const DAYS_SHOWN = 7;

/** The free times of the form for a caller. `days`: the next days with free times. `day`: the shown one; null without free times. */
export type CallerView = { today: DateKey; day: DateKey | null; days: { date: DateKey; free: number }[]; times: FreeTime[] };

/** Chooses the times that the form shows. @param day the day of the URL; another one than a day with free times is shown empty */
export function viewTimes(free: readonly FreeTime[], today: DateKey, day: string | null): CallerView {
  const byDay = Map.groupBy(free, ({ date }) => date);
  const days = [...byDay].slice(0, DAYS_SHOWN).map(([date, own]) => ({ date, free: own.length }));
  const shown = day && isDateKey(day) && day >= today ? day : (days[0]?.date ?? null);
  return { today, day: shown, days, times: shown ? (byDay.get(shown) ?? []) : [] };
}
