import type { PaymentStatus, recordableOf } from "#app/domains/booking/payments/payment-status.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { minus, type Paise, paise, plus } from "#app/lib/money.ts";
import type { PaymentState, ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import type { FeeDocument } from "../platform-fee/documents.ts";

/** A payment in a list. `amount` and `refunded` are the clinic's part. */
export type PaymentLine = {
  /** The part of `refunded` that was recorded by mistake. */
  corrected: Paise;
  id: string;
  method: ReceivedBy;
  amount: Paise;
  refunded: Paise;
  /** What the patient paid to Nadi beside `amount`, and what of it was returned. */
  platformFee: Paise;
  platformFeeRefunded: Paise;
  state: PaymentState;
  /** It came after the appointment was cancelled. */
  unseatable: boolean;
  at: Date;
  receipt: string;
  /** The parts of `refunded` and `platformFeeRefunded` that the provider could not return: the patient does not have them. */
  notReturned: Paise;
  platformFeeNotReturned: Paise;
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
  /** What can be recorded. `instead`: the bank is confirming a payment of the patient. */
  record: ReturnType<typeof recordableOf>;
  state: PaymentStatus;
  payments: PaymentLine[];
};

/** A receipt with its refunds. */
export type Receipt = PaymentLine & {
  appointmentId: string;
  /** The reference of the payer's bank. */
  reference: string | null;
  /** As registered when the receipt was issued. */
  merchantName: string;
  /** The same in the script of the reader; null when it was renamed since. */
  merchantInScript: string | null;
  merchantAddress: string;
  doctorName: string;
  registeredDoctorName: string;
  patientName: string;
  date: DateKey;
  fee: Paise | null;
  discount: Paise;
  /** The amount in words. */
  inWords: string;
  /** What the patient gets back if the appointment is cancelled. */
  refundLine: string | null;
  /** The reference of the appointment. */
  visitReference: string;
  /** Invoice and credit notes of the platform fee. Only for the patient, who got them. */
  feeDocuments: FeeDocument[] | null;
  refunds: {
    id: string;
    method: ReceivedBy;
    amount: Paise;
    platformFee: Paise;
    reason: RefundReason;
    at: Date /** Of a refund by the provider: its state. */;
    state: string | null;
  }[];
};

/** Adds up what was received, refunded, corrected and could not be returned. */
export function sumsOf(
  lines: readonly (Pick<PaymentLine, "amount" | "refunded" | "corrected"> & Partial<Pick<PaymentLine, "notReturned">>)[],
): Record<"received" | "refunded" | "corrected" | "notReturned", Paise> {
  const sums = { received: paise(0), refunded: paise(0), corrected: paise(0), notReturned: paise(0) };
  for (const { amount, refunded, corrected, notReturned = paise(0) } of lines) {
    sums.notReturned = plus(sums.notReturned, notReturned);
    sums.received = plus(sums.received, amount);
    sums.refunded = plus(sums.refunded, refunded);
    sums.corrected = plus(sums.corrected, corrected);
  }
  return sums;
}

type Sums = Pick<PaymentLine, "amount" | "refunded" | "notReturned" | "platformFee" | "platformFeeRefunded" | "platformFeeNotReturned">;
/**
 * Returns what the patient paid with a payment, what was or is being returned, and what the provider could not return: the clinic's part and the platform fee.
 */
export function patientSums(of: Sums): Record<"paid" | "returned" | "notReturned", Paise> {
  const notReturned = plus(of.notReturned, of.platformFeeNotReturned);
  return {
    paid: plus(of.amount, of.platformFee),
    returned: minus(plus(of.refunded, of.platformFeeRefunded), notReturned),
    notReturned,
  };
}

/** Returns the platform fees of payments that are not returned. */
export const platformFeeOf = (lines: readonly Pick<PaymentLine, "platformFee" | "platformFeeRefunded">[]): Paise =>
  plus(...lines.map((one) => minus(one.platformFee, one.platformFeeRefunded)));
