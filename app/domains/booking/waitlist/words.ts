import type { WaitlistEnd } from "#app/db/schema/index.ts";
import { formatDate, formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PartOfDay } from "./rules.ts";

/** Returns the name of a part of the day with its hours. */
export const partWord = (part: PartOfDay): string =>
  ({ morning: m.waitlist_morning, afternoon: m.waitlist_afternoon, evening: m.waitlist_evening })[part]();

const ENDS: Record<WaitlistEnd, () => string> = {
  left: () => m.waitlist_end_left(),
  unanswered: () => m.waitlist_end_unanswered(),
  "days-over": () => m.waitlist_end_days(),
  "visit-over": () => m.waitlist_end_visit(),
  "visit-cancelled": () => m.waitlist_end_cancelled(),
  "place-closed": () => m.waitlist_end_place(),
  "gives-tokens": () => m.waitlist_end_tokens(),
  "person-removed": () => m.waitlist_end_person(),
  account: () => m.waitlist_end_left(),
};
/** Returns why an entry is over. */
export const endWord = (reason: WaitlistEnd): string => ENDS[reason]();

/** Returns the days and parts of the day that suit. */
export function wishWord({ fromDate, untilDate, parts }: { fromDate: string; untilDate: string; parts: readonly PartOfDay[] }): string {
  const dates =
    fromDate === untilDate ? formatDay(fromDate) : m.waitlist_between({ from: formatDate(fromDate), until: formatDate(untilDate) });
  return [dates, ...parts.map(partWord)].join(" · ");
}

/** "Tue, 24 Nov 2026, 4:30 PM". */
export const whenWord = ({ date, time }: { date: string; time: string }): string => `${formatDay(date)}, ${formatTime(time)}`;

/** "2:10 PM", with the day where it is another. */
export const clockOf = (until: { date: string; time: string }, today: string): string =>
  until.date === today ? formatTime(until.time) : whenWord(until);
