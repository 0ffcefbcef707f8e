import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { SessionOffer } from "./session-offer.ts";

/** Returns the times of a session: "5:00 PM to 8:00 PM". */
export const sessionWord = (from: string, { until }: SessionOffer) =>
  m.availability_session({ from: formatTime(from), until: formatTime(until) });
