import { formatSpan, formatTime, type TimeKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** When a patient is called, as a range. */
export type Eta = { from: TimeKey; until: TimeKey };
/**
 * What an appointment stores of a token; both null for one with a time of its own. `expected`: when the patient is called, as the queue shows it now; without it
 * the token is over.
 */
export type Token = { token: number | null; expectedTime: TimeKey | null; expected?: Eta | undefined };

type Visit = { time: TimeKey } & Partial<Token>;
/** Returns the time of an appointment: "10:30 AM", or for a token "6:40–7:05 PM (token 14)". */
export function visitTimeWord({ time, token, expectedTime, expected }: Visit): string {
  if (!token || !expectedTime) return formatTime(time);
  return expected
    ? m.token_time_span({ span: formatSpan(expected), number: token })
    : m.token_time({ time: formatTime(expectedTime), number: token });
}

/** The same as the beginning of a line: "Expected 6:40–7:05 PM (token 14)". */
export function visitTimeTitle(visit: Visit): string {
  const word = visitTimeWord(visit);
  return visit.token && visit.expected ? m.token_expected({ span: word }) : word.charAt(0).toUpperCase() + word.slice(1);
}
