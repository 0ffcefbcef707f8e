import type { DateKey } from "#app/lib/dates.ts";
import { type Paise, paise, plus } from "#app/lib/money.ts";
import type { PaymentOrderState } from "#app/lib/vocabulary.ts";

/** What two parts of an order say differently. The words are in words.ts. */
export const MISMATCH_KINDS = [
  /** A message says that a payment was captured, and we have no payment. */
  "not-booked",
  /** Message and payment have another amount. */
  "amount",
  /** Payment and order have another amount. */
  "order-amount",
  /** The order is paid without a payment, or not paid with one. */
  "state",
  /** Payment and ledger have another amount. */
  "ledger",
  /** A payment without receipt. */
  "receipt",
  /** The documents of the platform fee have another amount than the payment. */
  "fee-document",
  /** Refund and ledger have another amount. */
  "refund-ledger",
  /** The payment's refunded amount is not the sum of its refunds. */
  "refund-sum",
  /** More was returned than was received. */
  "over-refund",
  /** A message says that a refund was made, and we have none. */
  "refund-unknown",
  /** Message and refund have another state or amount. */
  "refund-state",
  /** Money for an appointment that was gone is not refunded. */
  "not-returned",
] as const;
export type MismatchKind = (typeof MISMATCH_KINDS)[number];

/**
 * Online payments of a day, with platform fees, as the provider has them. Orders count on the day on which they were opened, money on the day on
 * which it moved.
 */
export type DayFigures = {
  orders: number;
  expired: number;
  failed: number;
  payments: number;
  captured: Paise;
  refunded: Paise;
  unseatable: number;
  /** Orders that do not match. */
  mismatches: number;
  /** Orders that are still open, with a payment at the bank or a message that waits, or with a refund that is not done: they may match when they end. */
  unsettled: number;
};
export type ReconciledDay = DayFigures & { day: DateKey };

const NONE: DayFigures = {
  orders: 0,
  expired: 0,
  failed: 0,
  payments: 0,
  captured: paise(0),
  refunded: paise(0),
  unseatable: 0,
  mismatches: 0,
  unsettled: 0,
};

/** Adds up days. */
export const totalOfDays = (days: readonly DayFigures[]): DayFigures =>
  days.reduce(
    (sum, day) => ({
      orders: sum.orders + day.orders,
      expired: sum.expired + day.expired,
      failed: sum.failed + day.failed,
      payments: sum.payments + day.payments,
      captured: plus(sum.captured, day.captured),
      refunded: plus(sum.refunded, day.refunded),
      unseatable: sum.unseatable + day.unseatable,
      mismatches: sum.mismatches + day.mismatches,
      unsettled: sum.unsettled + day.unsettled,
    }),
    NONE,
  );

/**
 * An order with the sums of its parts. `amount`: the clinic's part. `captured`, `refunded` and `ledger`, which is what the ledger has less refunds, are with
 * the platform fee.
 */
export type ReconciledOrder = {
  id: string;
  providerOrderId: string | null;
  createdAt: Date;
  state: PaymentOrderState;
  /** The bank is confirming a payment. */
  confirming: boolean;
  amount: Paise;
  platformFee: Paise;
  messages: number;
  captured: Paise;
  refunded: Paise;
  ledger: Paise;
  mismatches: { kind: MismatchKind; amount: Paise }[];
};
