import type { TimeKey } from "#app/lib/dates.ts";

/** A session that patients book: `time` is its start, `seats` how many tokens can be booked. */
export type TokenTime = { time: TimeKey; minutes: number; seats: number };

const STEP = 5;
const clock = (minute: number): TimeKey => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const minuteOf = (time: TimeKey) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Returns when a session ends. */
export const endOfSession = ({ time, minutes }: Pick<TokenTime, "time" | "minutes">): TimeKey =>
  clock(Math.min(minuteOf(time) + minutes, 24 * 60 - 1));

/**
 * Returns about when a token is called: the session is divided evenly among its seats. In steps of 5 minutes, rounded down. Numbers of cancelled bookings
 * are not used again, so a number can be higher than the seats: it has the time of the last seat.
 */
export function expectedTimeOf({ time, minutes, seats }: TokenTime, token: number): TimeKey {
  const before = (Math.min(token, seats) - 1) * (minutes / seats);
  return clock(Math.min(minuteOf(time) + Math.floor(before / STEP) * STEP, 24 * 60 - 1));
}
