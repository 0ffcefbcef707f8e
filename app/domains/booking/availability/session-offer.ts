import { endOfSession, expectedTimeOf, type TokenTime } from "#app/domains/waiting-room/queue/token-time.ts";
import type { TimeKey } from "#app/lib/dates.ts";

/** What patients see of a session before they book it. `next`: the number of the next token, and about when it is called. */
export type SessionOffer = { until: TimeKey; left: number; next: number; about: TimeKey };

/** @param taken how many tokens are booked @param last the number given out last; null: none */
export function offerOf(of: TokenTime, taken: number, last: number | null): SessionOffer {
  const next = (last ?? 0) + 1;
  return { until: endOfSession(of), left: Math.max(0, of.seats - taken), next, about: expectedTimeOf(of, next) };
}
