import type { Paise } from "#app/lib/money.ts";
import type { SettlementLineKind } from "#app/lib/vocabulary.ts";
import type { MismatchKind } from "./compare.ts";

/** A settlement as the bank's statement shows it: its lines added up. */
export type Settlement = {
  id: string;
  settledAt: Date;
  /** The UTR of the bank. */
  reference: string;
  payments: number;
  received: Paise;
  refunds: number;
  refunded: Paise;
  /** With its GST. */
  fee: Paise;
  tax: Paise;
  /** What the bank account received; negative when more was returned than received. */
  paidOut: Paise;
};
/** A settlement of one merchant. `shared`: it has lines of others too, so the bank's line is another amount. */
export type OwnSettlement = Settlement & { shared: boolean };

/** A line for a merchant: one payment or refund. */
export type OwnLine = {
  kind: Extract<SettlementLineKind, "payment" | "refund">;
  lineId: string;
  at: Date;
  amount: Paise;
  fee: Paise;
  paidOut: Paise;
  paymentId: string;
  receipt: string;
  patientName: string;
  doctorName: string;
  date: string;
};

/** A line for administrators: without names. */
export type CheckedLine = {
  kind: SettlementLineKind;
  lineId: string;
  settlementId: string;
  reference: string;
  settledAt: Date;
  amount: Paise;
  fee: Paise;
  tax: Paise;
  paidOut: Paise;
  /** Our order; null when we do not know the line. */
  orderId: string | null;
  mismatch: MismatchKind | null;
};
