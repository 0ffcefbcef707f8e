import type { DateKey } from "#app/lib/dates.ts";
import { type Paise, paise, plus } from "#app/lib/money.ts";
import type { PaymentState, ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import type { PaymentStatus } from "./payment-status.ts";

/** A payment in a list. */
export type PaymentLine = {
  /** The part of `refunded` that was recorded by mistake. */
  corrected: Paise;
  id: string;
  method: ReceivedBy;
  amount: Paise;
  refunded: Paise;
  state: PaymentState;
  at: Date;
  receipt: string;
  /** A refund by the provider that failed. */
  failedRefund: boolean;
};

/** The money of an appointment, for the doctor and members of a place. */
export type HandledMoney = {
  id: string;
  patientName: string;
  date: DateKey;
  time: string;
  cancelled: boolean;
  fee: Paise | null;
  discount: Paise;
  due: Paise | null;
  state: PaymentStatus;
  payments: PaymentLine[];
};

/** A receipt with its refunds. */
export type Receipt = PaymentLine & {
  appointmentId: string;
  /** The reference of the payer's bank. */
  reference: string | null;
  merchantName: string;
  merchantAddress: string;
  doctorName: string;
  patientName: string;
  date: DateKey;
  fee: Paise | null;
  discount: Paise;
  /** The amount in words, in languages that have them. */
  inWords: string | null;
  /** What the patient gets back if the appointment is cancelled. */
  refundLine: string | null;
  /** The reference of the appointment. */
  visitReference: string;
  refunds: {
    id: string;
    method: ReceivedBy;
    amount: Paise;
    reason: RefundReason;
    at: Date /** Of a refund by the provider: its state. */;
    state: string | null;
  }[];
};

/** Adds up what was received, refunded and corrected. */
export function sumsOf(
  lines: readonly Pick<PaymentLine, "amount" | "refunded" | "corrected">[],
): Record<"received" | "refunded" | "corrected", Paise> {
  const sums = { received: paise(0), refunded: paise(0), corrected: paise(0) };
  for (const { amount, refunded, corrected } of lines) {
    sums.received = plus(sums.received, amount);
    sums.refunded = plus(sums.refunded, refunded);
    sums.corrected = plus(sums.corrected, corrected);
  }
  return sums;
}
