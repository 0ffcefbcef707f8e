import { days, hours, minutes, seconds } from "#app/lib/durations.ts";

/** The delays of Standard Webhooks after the first attempt, the second and so on: three days in all. */
export const RETRY_DELAYS = [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)] as const;
/** An endpoint that fails for so long, whatever is sent, is disabled. */
export const DISABLE_AFTER = days(5);
/** An attempt without a result for so long was lost with its process. */
export const LOST_AFTER = minutes(2);
/** How long deliveries are stored. */
export const DELIVERY_LIFE = days(30);
/** How long the secret before the last rotation signs too. */
export const SECRET_OVERLAP = hours(24);

/**
 * Returns when a delivery is sent again after this attempt (1 for the first); null: never.
 * @param jitter 0 to 1: makes the delay up to a tenth longer, so that receivers do not get all events at once
 */
export function retryAt(attempt: number, now: Date, jitter: number): Date | null {
  const delay = RETRY_DELAYS[attempt - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * (1 + jitter / 10));
}
