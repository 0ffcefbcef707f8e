import { addDays, type DateKey, formatDayLong, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** Groups a list, newest first, by day in India: unread before read within a day. `word`: "Today", "Yesterday" or the date. */
export function groupByDay<Row extends { createdAt: Date; read: boolean }>(
  rows: readonly Row[],
  now: Date,
): { day: DateKey; word: string; rows: Row[] }[] {
  const days = Map.groupBy(rows, (row) => todayInIndia(row.createdAt));
  return [...days].map(([day, all]) => ({
    day,
    word: dayWord(day, todayInIndia(now)),
    rows: [...all.filter((row) => !row.read), ...all.filter((row) => row.read)],
  }));
}

function dayWord(day: DateKey, today: DateKey): string {
  if (day === today) return m.ui_today();
  return day === addDays(today, -1) ? m.notifications_yesterday() : formatDayLong(day);
}
