import { dueOf, type PaymentStatus, paymentStatusOf, type VisitMoney } from "#app/domains/booking/payments/payment-status.ts";
import { chosenWayWord } from "#app/domains/booking/payments/words.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { formatRupees, paise } from "#app/lib/money.ts";
import type { PaymentMethod, ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type PaymentLine, patientSums } from "./payment-line.ts";

export const receivedByWord = (method: ReceivedBy): string => ({ cash: m.money_cash, upi: m.money_upi, online: m.money_online })[method]();

/** Returns what the button says that records a payment at the clinic. `instead`: of the one that the bank is confirming. */
export const recordWord = (record: "due" | "instead"): string => (record === "due" ? m.money_record() : m.money_record_instead());

export const refundReasonWord = (reason: RefundReason): string =>
  ({
    cancelled: m.money_reason_cancelled,
    mistake: m.money_reason_mistake,
    agreed: m.money_reason_agreed,
    unseatable: m.money_reason_unseatable,
    duplicate: m.money_reason_duplicate,
    dashboard: m.money_reason_dashboard,
    "platform-fee": m.money_reason_platform_fee,
  })[reason]();

export const paymentStatusWord = (status: PaymentStatus): string =>
  ({
    paid: m.money_paid,
    "part-paid": m.money_part_paid,
    confirming: m.money_confirming,
    "not-paid": m.money_not_paid,
    "not-recorded": m.money_not_recorded,
    refunded: m.money_refunded,
    "refund-due": m.money_refund_due,
    "refund-failed": m.money_refund_failed,
    "not-refundable": m.refunds_none_due,
    "nothing-due": m.money_nothing_to_pay,
  })[status]();

/**
 * Returns the payment of an appointment in a list of its patient: what happened to the money, otherwise how they chose to pay an `open` one. Empty when
 * there is nothing to say.
 */
export function ownPaymentWord(visit: VisitMoney & { paymentMethod: PaymentMethod | null }, open: boolean): string {
  const state = paymentStatusOf(visit, null);
  if (state === "confirming") return m.payments_confirming();
  if (state === "nothing-due") return "";
  if (state === "part-paid") return `${paymentStatusWord(state)}. ${m.money_due()}: ${formatRupees(dueOf(visit) ?? paise(0))}`;
  if (state !== "not-recorded") return paymentStatusWord(state);
  return open && visit.paymentMethod ? chosenWayWord(visit.paymentMethod) : "";
}

/** Returns what the head of a receipt says. A refund that the provider could not make returned nothing. */
export const receiptStateWord = ({ state, notReturned, platformFeeNotReturned }: PaymentLine): string =>
  state !== "refunded" ? m.money_paid() : notReturned + platformFeeNotReturned > 0 ? m.money_refund_failed() : m.money_refunded();

/** Returns a payment in one line for the patient: amount, method, time and what was refunded, with the platform fee. */
export function paymentLineWord(line: PaymentLine): string {
  const { paid, returned, notReturned } = patientSums(line);
  return [
    `${formatRupees(paid)}, ${receivedByWord(line.method)}, ${formatInstant(line.at)}`,
    returned > 0 && m.money_refunded_amount({ amount: formatRupees(returned) }),
    notReturned > 0 && m.money_not_returned({ amount: formatRupees(notReturned) }),
  ]
    .filter(Boolean)
    .join(". ");
}
