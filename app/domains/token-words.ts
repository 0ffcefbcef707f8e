import { formatTime, type TimeKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** What an appointment stores of a token; both null for one with a time of its own. */
export type Token = { token: number | null; expectedTime: TimeKey | null };

/** Returns the time of an appointment: "10:30 AM", or for a token "about 6:15 PM (token 14)". */
export const visitTimeWord = ({ time, token, expectedTime }: { time: TimeKey } & Partial<Token>): string =>
  token && expectedTime ? m.token_time({ time: formatTime(expectedTime), number: token }) : formatTime(time);

/** The same as the beginning of a line: "About 6:15 PM (token 14)". */
export const visitTimeTitle = (visit: Parameters<typeof visitTimeWord>[0]): string => {
  const word = visitTimeWord(visit);
  return word.charAt(0).toUpperCase() + word.slice(1);
};
