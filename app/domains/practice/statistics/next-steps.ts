import { addDays, type DateKey } from "#app/lib/dates.ts";

/** Days from today that are checked. */
export const WINDOW = 14;
const WEEK = 7;

const PROFILE_PARTS = ["about", "fee", "photo", "languages"] as const;
export type MissingPart = (typeof PROFILE_PARTS)[number];

/** Returns the first seven consecutive days from today without free slots, within the window. @param dates days with slots */
export function firstEmptyWeek(dates: readonly DateKey[], today: DateKey): { from: DateKey; until: DateKey } | null {
  const open = new Set(dates);
  for (let start = 0; start + WEEK <= WINDOW; start++) {
    const week = Array.from({ length: WEEK }, (_, i) => addDays(today, start + i));
    if (!week.some((day) => open.has(day))) return { from: week[0]!, until: week[WEEK - 1]! };
  }
  return null;
}
