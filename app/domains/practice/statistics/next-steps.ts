import { addDays, type DateKey } from "#app/lib/dates.ts";

/** How many days from today are looked at. */
export const WINDOW = 14;
const WEEK = 7;

const PROFILE_PARTS = ["about", "fee", "photo", "languages"] as const;
export type MissingPart = (typeof PROFILE_PARTS)[number];

/** The first seven days in a row from today without a time to book, within the window. @param dates days that have one */
export function firstEmptyWeek(dates: readonly DateKey[], today: DateKey): { from: DateKey; until: DateKey } | null {
  const open = new Set(dates);
  for (let start = 0; start + WEEK <= WINDOW; start++) {
    const week = Array.from({ length: WEEK }, (_, i) => addDays(today, start + i));
    if (!week.some((day) => open.has(day))) return { from: week[0]!, until: week[WEEK - 1]! };
  }
  return null;
}
