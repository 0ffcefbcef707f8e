import type { Role } from "#app/db/schema/accounts.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";

/** Choices of a clinic: until how many hours before the start a patient may cancel and gets the fee back. 24 is the rule of Nadi, the others are more generous. */
export const REFUND_HOURS = [24, 12, 6, 2, 0] as const;
export type RefundHours = (typeof REFUND_HOURS)[number];
/** How long after booking a patient may pay where prepayment is required. */
export const PREPAY_MINUTES = 30;
export type RefundPolicy = { hours: number };

const MOST = Math.max(...REFUND_HOURS);

export type Cancellation = {
  status: AppointmentStatus;
  startsAt: Date;
  cancelledBy: Role;
  now: Date;
  policy: RefundPolicy;
  /** The doctor moved the appointment, or left the directory. */
  changedByClinic?: boolean;
};

/** Returns the last instant at which a patient who cancels an accepted appointment gets the fee back. Never earlier than 24 hours before the start. */
export const refundUntil = ({ startsAt, policy }: Pick<Cancellation, "startsAt" | "policy">): Date =>
  new Date(startsAt.getTime() - hours(Math.min(Math.max(policy.hours, 0), MOST)));

/**
 * Returns what a cancellation gives back: everything while the doctor has not accepted, when the clinic cancels or has changed the appointment, and until
 * the hours of the policy. To the minute, as the rule of cancelling is.
 */
export function refundOfCancellation(one: Cancellation): "full" | "none" {
  if (one.cancelledBy !== "patient" || one.status === "pending" || one.changedByClinic) return "full";
  const minute = Math.floor(one.now.getTime() / minutes(1)) * minutes(1);
  return minute <= refundUntil(one).getTime() ? "full" : "none";
}
