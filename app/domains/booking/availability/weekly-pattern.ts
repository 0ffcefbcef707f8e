import { addDays, type DateKey, type TimeKey, weekdayOf } from "#app/lib/dates.ts";

export type DaySlots = { date: DateKey; times: TimeKey[] };
export type PatternInput = { from: DateKey; until: DateKey; weekdays: number[]; slots: TimeKey[]; except: DateKey[] };

/** Returns the days of a pattern with their slots, without leave days. */
export function expandPattern(pattern: PatternInput): DaySlots[] {
  const wanted = new Set(pattern.weekdays);
  const leave = new Set(pattern.except);
  const days: DaySlots[] = [];
  for (let date = pattern.from; date <= pattern.until; date = addDays(date, 1))
    if (wanted.has(weekdayOf(date)) && !leave.has(date)) days.push({ date, times: pattern.slots });
  return days;
}

export type PatternDay = { date: DateKey; added: TimeKey[]; unchanged: TimeKey[] };
/** Returns the new and the unchanged slots of each day of a pattern. `existing`: the doctor's slots by date. */
export function previewPattern(pattern: PatternInput, existing: Map<DateKey, TimeKey[]>): PatternDay[] {
  return expandPattern(pattern).map(({ date, times }) => {
    const unchanged = existing.get(date) ?? [];
    return { date, added: times.filter((t) => !unchanged.includes(t)), unchanged };
  });
}
