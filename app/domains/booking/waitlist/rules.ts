import { addMonths, type DateKey, instantInIndia, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";

// The published rules of the waitlist (docs/waitlist.md). A test compares its numbers with these.

/** An offer of a time more than a day ahead. */
const LONG_OFFER = hours(2);
const SHORT_OFFER = minutes(20);
const FAR = hours(24);
/** A time is offered if it begins at least so long after the message. */
export const MIN_AHEAD = hours(1);
/** No messages from 21:00 to 07:00. */
const NIGHT = { from: "21:00", until: "07:00" };
/** Moves of waiting patients after one cancellation. The time that the last one frees goes to a patient without an appointment. */
export const MAX_CHAIN = 5;
/** After so many offers in a row without an answer the entry ends, so that others do not wait for a patient who is gone. */
export const MAX_LAPSES = 3;
/** Live entries of one account. */
export const MAX_ENTRIES = 10;
/** Choices of "Until when": days from the first. */
export const DAYS_AHEAD = [0, 7, 30] as const;

/** First day of a wait: the one asked for, at most six months ahead; otherwise today. */
export const firstDayOf = (asked: DateKey | undefined, today: DateKey): DateKey =>
  asked !== undefined && asked >= today && asked <= addMonths(today, 6) ? asked : today;

export type PartOfDay = "morning" | "afternoon" | "evening";
/** The same in every language, unlike the headings of a day's times. */
export const partOf = (time: TimeKey): PartOfDay => (time < "12:00" ? "morning" : time < "17:00" ? "afternoon" : "evening");

/** When a message may be sent at the earliest. */
export function sendingTime(now: Date): Date {
  const time = timeInIndia(now);
  if (time >= NIGHT.until && time < NIGHT.from) return now;
  const morning = instantInIndia(todayInIndia(now), NIGHT.until);
  return time < NIGHT.until ? morning : new Date(morning.getTime() + hours(24));
}

/** When the offer of a time is sent and ends; null when the time is too near to be offered. */
export function offerTimes(now: Date, slot: { date: DateKey; time: TimeKey }): { sendAt: Date; endsAt: Date } | null {
  const sendAt = sendingTime(now);
  const left = instantInIndia(slot.date, slot.time).getTime() - sendAt.getTime();
  if (left < MIN_AHEAD) return null;
  return { sendAt, endsAt: new Date(sendAt.getTime() + (left > FAR ? LONG_OFFER : SHORT_OFFER)) };
}

type Slot = { date: DateKey; time: TimeKey; practiceId: string; chain: number };
export type Wish = {
  practiceId: string | null;
  fromDate: DateKey;
  untilDate: DateKey;
  parts: readonly PartOfDay[];
  /** The later appointment, which the patient would give up. */
  visit: { date: DateKey; time: TimeKey; practiceId: string } | null;
};

/** Returns true if a time suits a waiting patient: day, part of the day, place, and earlier than their own appointment. */
export function suits(wish: Wish, slot: Slot): boolean {
  if (slot.date < wish.fromDate || slot.date > wish.untilDate) return false;
  if (wish.parts.length > 0 && !wish.parts.includes(partOf(slot.time))) return false;
  if (wish.practiceId !== null && wish.practiceId !== slot.practiceId) return false;
  if (wish.visit === null) return true;
  // An appointment moves within its practice only, because the fee differs.
  if (wish.visit.practiceId !== slot.practiceId || slot.chain >= MAX_CHAIN) return false;
  return `${slot.date} ${slot.time}` < `${wish.visit.date} ${wish.visit.time.slice(0, 5)}`;
}
