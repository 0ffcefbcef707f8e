import type { Role } from "#app/db/schema/accounts.ts";
import { type Cancellable, cancelDeadline, hasPassed, minuteInIndia } from "#app/domains/visit-time.ts";

/** Choices of a clinic: until how many hours before the start a patient may cancel, and gets the fee back. 24 is the rule of Nadi, the others are more generous. */
export const REFUND_HOURS = [24, 12, 6, 2, 0] as const;
export type RefundHours = (typeof REFUND_HOURS)[number];
/** How long after booking a patient may pay where prepayment is required. */
export const PREPAY_MINUTES = 30;

/**
 * Decides the refund of a cancellation; `createRefund` (money/payments) makes it. Everything comes back while the doctor has not accepted, when the
 * clinic cancels or has changed the appointment, and until the deadline of the patient's own cancellation, so what a patient can cancel on the site is
 * always returned. After it an administrator cancels for the patient, or the deletion of their account: nothing comes back.
 */
export function decideRefund(visit: Cancellable & { cancelledBy: Role; now: Date }): "full" | "none" {
  if (visit.cancelledBy !== "patient" || visit.status === "pending" || visit.doctorDelisted || visit.movedByDoctor) return "full";
  return hasPassed(cancelDeadline(visit), minuteInIndia(visit.now)) ? "none" : "full";
}
