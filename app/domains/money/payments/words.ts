import { formatInstant } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import type { ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type PaymentLine, patientSums } from "./payment-line.ts";
import type { PaymentStatus } from "./payment-status.ts";

export const receivedByWord = (method: ReceivedBy): string => ({ cash: m.money_cash, upi: m.money_upi, online: m.money_online })[method]();

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
