/**
 * The clocks of a test file. Midnight in India would pass within a file that begins shortly before it, and its "today" would be another day
 * for its server: they are behind then, so that a file ends on the day on which it began.
 */
import { minutes } from "#app/lib/durations.ts";

const DAY = minutes(24 * 60);
const leftOfDay = () => DAY - ((Date.now() + minutes(330)) % DAY);
const lagNow = () => (leftOfDay() < minutes(10) ? minutes(20) : 0);

let current = lagNow();
/** A file begins. Playwright's files have the clocks of their worker. */
export function beginFile(): void {
  current = lagNow();
}

/** How far the clocks of this file are behind, in milliseconds. */
export const lag = () => current;
/** The time of this file and of its servers, unless it moves their clock. */
export const ownNow = () => new Date(Date.now() - current);
