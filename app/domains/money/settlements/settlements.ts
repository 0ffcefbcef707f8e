import { minus, type Paise, paise } from "#app/lib/money.ts";
import type { SettlementLineKind } from "#app/lib/vocabulary.ts";
import type { MismatchKind } from "./compare.ts";

/** A line that is compared. `payout`: a transfer, as paid out from a linked account. `taken-back`: what refunds took from such a payout. */
export type CheckedKind = SettlementLineKind | "payout" | "taken-back";

/** A settlement as the bank's statement shows it: its lines added up. */
export type Settlement = {
  id: string;
  settledAt: Date;
  /** The UTR of the bank. */
  reference: string;
  /** Paid out from a linked account, not from ours. */
  isAccount: boolean;
  payments: number;
  received: Paise;
  /** null for a linked account: the provider says only their sum. */
  refunds: number | null;
  refunded: Paise;
  /** With its GST. */
  fee: Paise;
  tax: Paise;
  /** What the bank account received; negative when more was returned than received. */
  paidOut: Paise;
};
/** A settlement of one merchant. `shared`: it has lines of others too, so the bank's line is another amount. */
export type OwnSettlement = Settlement & { shared: boolean };

/** A line for a merchant: one payment or refund. `given-back`: what its payout account got back for a refund that failed. */
export type OwnLine = {
  kind: Extract<SettlementLineKind, "payment" | "refund"> | "given-back";
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
  kind: CheckedKind;
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
  isAccount: boolean;
  mismatch: MismatchKind | null;
};

/** Returns what refunds and the fee took from a settlement of a payout account, as a line; null when it is nothing, or not known because others share it. */
export function takenBackOf({ isAccount, shared, refunded, fee }: OwnSettlement): Pick<OwnLine, "amount" | "fee" | "paidOut"> | null {
  if (!isAccount || shared || (refunded === 0 && fee === 0)) return null;
  return { amount: refunded, fee, paidOut: minus(minus(paise(0), refunded), fee) };
}
