import type { ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { PaymentStatus } from "./payment-status.ts";

export const receivedByWord = (method: ReceivedBy): string => ({ cash: m.money_cash, upi: m.money_upi })[method]();

export const refundReasonWord = (reason: RefundReason): string =>
  ({ cancelled: m.money_reason_cancelled, mistake: m.money_reason_mistake, agreed: m.money_reason_agreed })[reason]();

export const paymentStatusWord = (status: PaymentStatus): string =>
  ({
    paid: m.money_paid,
    "part-paid": m.money_part_paid,
    "not-paid": m.money_not_paid,
    "not-recorded": m.money_not_recorded,
    refunded: m.money_refunded,
    "refund-due": m.money_refund_due,
    "nothing-due": m.money_nothing_to_pay,
  })[status]();
