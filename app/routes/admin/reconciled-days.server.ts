import { type DateKey, isDateKey, isMonthKey, monthOf, todayInIndia } from "#app/lib/dates.ts";

/** Returns the month of `?month=`, not in the future; this month for other text. */
export function reconciledMonth(request: Request, now: Date): string {
  const month = monthOf(todayInIndia(now));
  const asked = new URL(request.url).searchParams.get("month") ?? "";
  return isMonthKey(asked) && asked >= "2000-01" && asked <= month ? asked : month;
}

/** Returns the day of `?day=`, not in the future; null for other text. */
export function reconciledDay(request: Request, now: Date): DateKey | null {
  const asked = new URL(request.url).searchParams.get("day") ?? "";
  return isDateKey(asked) && asked >= "2000-01-01" && asked <= todayInIndia(now) ? asked : null;
}
