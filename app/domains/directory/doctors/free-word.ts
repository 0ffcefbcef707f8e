/** Words for free slots. Apart from the card, because the chat shows them without it. */
import { daysBetween, formatDayShort, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** "Today", "Tomorrow" or "Mon 23 Nov". */
export function dayWord(date: string, today: string): string {
  const days = daysBetween(today, date);
  if (days === 0) return m.ui_today();
  return days === 1 ? m.ui_tomorrow() : formatDayShort(date);
}

/** "Next slot: today, 4:30 PM", "Next slot: tomorrow, 10:30 AM", "Next slot: Mon 23 Nov, 9:00 AM". */
export function freeWord(next: { date: string; time: string }, today: string): string {
  const days = daysBetween(today, next.date);
  const time = formatTime(next.time);
  if (days === 0) return m.doctors_free_today({ time });
  if (days === 1) return m.doctors_free_tomorrow({ time });
  return m.doctors_free_on({ day: formatDayShort(next.date), time });
}
