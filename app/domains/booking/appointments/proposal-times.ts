import { type DateKey, formatDay, formatTime, isDateKey, isTimeKey, type TimeKey } from "#app/lib/dates.ts";

/** The most times of one proposal. */
export const MAX_OPTIONS = 3;
/** The most free times of a choice. */
export const FREE_TIMES = 120;

export type ProposedTime = { date: DateKey; time: TimeKey };
/** A free time of a doctor and the name of its place. */
export type FreeTime = ProposedTime & { practiceId: string; place: string | null };

/** An open proposal, as the patient reads it. */
export type Proposal = {
  id: string;
  /** The proposed times that are still free, with the place where there are several. */
  options: (ProposedTime & { place: string | null })[];
  /** The doctor is away at the booked time: why. */
  away: string | null;
  /** A member of the place proposed for the doctor. */
  atDesk: boolean;
  /** Until when the patient can answer. */
  until: ProposedTime;
};

/** Returns a time as forms and notifications send it: "2026-11-24 09:30". */
export const timeValue = ({ date, time }: ProposedTime): string => `${date} ${time}`;
/** Parses it; null for anything else. */
export function parseTimeValue(text: string): ProposedTime | null {
  const [date = "", time = "", ...rest] = text.split(" ");
  return isDateKey(date) && isTimeKey(time) && !rest.length ? { date, time } : null;
}

/** Returns "Tuesday, 24 November, 9:30 AM". */
export const whenWord = ({ date, time }: { date: string; time: string }): string => `${formatDay(date)}, ${formatTime(time)}`;

/**
 * Gives each appointment up to `each` of the free times: those of its own practice first, in order, and different ones to different appointments
 * while there are enough. Then times are given again.
 */
export function allotTimes<V extends { id: string; practiceId: string }>(
  visits: readonly V[],
  free: readonly FreeTime[],
  each: number,
): Map<string, FreeTime[]> {
  const given = new Map<string, number>();
  const allotted = new Map<string, FreeTime[]>(visits.map(({ id }) => [id, []]));
  for (let round = 0; round < each; round++)
    for (const { id, practiceId } of visits) {
      const mine = allotted.get(id) ?? [];
      const rank = (slot: FreeTime) => (given.get(timeValue(slot)) ?? 0) * 2 + (slot.practiceId === practiceId ? 0 : 1);
      const [best] = free.filter((slot) => !mine.includes(slot)).sort((a, b) => rank(a) - rank(b));
      if (!best) continue;
      mine.push(best);
      given.set(timeValue(best), (given.get(timeValue(best)) ?? 0) + 1);
    }
  for (const mine of allotted.values()) mine.sort((a, b) => (timeValue(a) < timeValue(b) ? -1 : 1));
  return allotted;
}
