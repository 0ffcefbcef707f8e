import type { DateKey } from "#app/lib/dates.ts";
import { type Paise, paise } from "#app/lib/money.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";

export type PaymentStatus =
  | "paid"
  | "part-paid"
  | "confirming"
  | "not-paid"
  | "not-recorded"
  | "refunded"
  | "refund-due"
  | "refund-failed"
  | "not-refundable"
  | "nothing-due";

export type VisitMoney = {
  status: AppointmentStatus;
  date: DateKey;
  /** null: the doctor gave none. */
  fee: Paise | null;
  discount: Paise;
  received: Paise;
  refunded: Paise;
  /** The part of `refunded` that was recorded by mistake. */
  corrected: Paise;
  /** The part of `refunded` that the provider could not return. */
  notReturned?: Paise;
  /** The bank is confirming a payment. */
  confirming?: boolean;
  /** Of a cancelled appointment: false when the policy gives nothing back. null or absent: it does. */
  refundOwed?: boolean | null;
};

/**
 * Returns what the patient still has to pay; null where no fee is known. Nothing for a cancelled appointment. A refund agreed with the patient is
 * not due again, a payment recorded by mistake is.
 */
export function dueOf(visit: Omit<VisitMoney, "date" | "refunded">): Paise | null {
  if (visit.status === "cancelled") return paise(0);
  if (visit.fee === null) return null;
  return paise(Math.max(0, visit.fee - visit.discount - visit.received + visit.corrected));
}

/**
 * Returns what the payments of an appointment mean. `since`: the day of the doctor's first recorded payment (null: none yet). An appointment
 * without payments on an earlier day is "not recorded": it may have been paid.
 */
export function paymentStatusOf(visit: VisitMoney, since: DateKey | null): PaymentStatus {
  if (visit.confirming && dueOf({ ...visit, status: "accepted" }) !== 0) return "confirming";
  if (visit.notReturned) return "refund-failed";
  const [came, left] = [visit.received - visit.corrected, visit.received - visit.refunded];
  if (came > 0 && left === 0) return "refunded";
  if (visit.status === "cancelled") return left <= 0 ? "nothing-due" : visit.refundOwed === false ? "not-refundable" : "refund-due";
  const due = dueOf(visit);
  if (came > 0) return due ? "part-paid" : "paid";
  if (due === 0) return "nothing-due";
  return since === null || visit.date < since ? "not-recorded" : "not-paid";
}

/** True when a page may ask the patient to pay, or how: something is due, or no fee is known, and the bank is not confirming a payment. */
export const asksPatient = (visit: VisitMoney): boolean => dueOf(visit) !== 0 && paymentStatusOf(visit, null) !== "confirming";

/** Returns until when a required prepayment must be made; null when none is required, something was paid, or the bank is confirming a payment. */
export function prepayOf(visit: VisitMoney & { prepayUntil: Date | null }, now: Date): { until: Date; over: boolean } | null {
  if (!visit.prepayUntil || visit.received !== visit.corrected || paymentStatusOf(visit, null) === "confirming") return null;
  return { until: visit.prepayUntil, over: visit.prepayUntil <= now };
}

/**
 * Returns what staff can record for an appointment: the payment that is due, one `instead` of the payment that the bank is confirming, or nothing. Of
 * both payments the one that comes later goes back to the patient.
 */
export function recordableOf(visit: VisitMoney): "due" | "instead" | null {
  if (dueOf(visit) === 0) return null;
  return paymentStatusOf(visit, null) === "confirming" ? "instead" : "due";
}
