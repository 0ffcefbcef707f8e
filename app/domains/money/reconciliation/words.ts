import { m } from "#app/paraglide/messages.js";
import type { MismatchKind } from "./reconciliation.ts";

const WORDS: Record<MismatchKind, (of: { amount: string }) => string> = {
  "not-booked": (of) => m.recon_not_booked(of),
  amount: (of) => m.recon_amount(of),
  "order-amount": (of) => m.recon_order_amount(of),
  state: (of) => m.recon_state(of),
  ledger: (of) => m.recon_ledger(of),
  receipt: (of) => m.recon_receipt(of),
  "fee-document": (of) => m.recon_fee_document(of),
  "refund-ledger": (of) => m.recon_refund_ledger(of),
  "refund-sum": (of) => m.recon_refund_sum(of),
  "over-refund": (of) => m.recon_over_refund(of),
  "refund-unknown": (of) => m.recon_refund_unknown(of),
  "refund-state": (of) => m.recon_refund_state(of),
  "not-returned": (of) => m.recon_not_returned(of),
};
/** Returns the sentence for a difference. @param amount as shown */
export const mismatchWord = (kind: MismatchKind, amount: string): string => WORDS[kind]({ amount });
