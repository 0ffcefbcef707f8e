import { days, hours } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";

/** Returns a waiting time as text: "3 days", "5 hours", "less than an hour". */
export function ageWords(milliseconds: number): string {
  const whole = (unit: number) => Math.floor(milliseconds / unit);
  if (milliseconds < hours(1)) return m.cases_age_new();
  if (milliseconds < days(1)) return whole(hours(1)) === 1 ? m.cases_age_hour() : m.cases_age_hours({ count: String(whole(hours(1))) });
  return whole(days(1)) === 1 ? m.cases_age_day() : m.cases_age_days({ count: String(whole(days(1))) });
}
