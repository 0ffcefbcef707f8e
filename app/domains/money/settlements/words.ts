import { m } from "#app/paraglide/messages.js";
import type { MismatchKind } from "./compare.ts";
import type { CheckedKind, OwnLine } from "./settlements.ts";

const KINDS: Record<CheckedKind | OwnLine["kind"], () => string> = {
  payment: () => m.settle_kind_payment(),
  refund: () => m.settle_kind_refund(),
  transfer: () => m.settle_kind_transfer(),
  reversal: () => m.settle_kind_reversal(),
  adjustment: () => m.settle_kind_adjustment(),
  payout: () => m.settle_kind_payout(),
  "given-back": () => m.settle_kind_given_back(),
  "taken-back": () => m.settle_kind_taken_back(),
};
export const lineKindWord = (kind: CheckedKind | OwnLine["kind"]): string => KINDS[kind]();

const MISMATCHES: Record<MismatchKind, () => string> = {
  "missing-in-ours": () => m.settle_missing_in_ours(),
  "missing-in-theirs": () => m.settle_missing_in_theirs(),
  "settled-twice": () => m.settle_twice(),
  "amount-differs": () => m.settle_amount_differs(),
  "wrong-sum": () => m.settle_wrong_sum(),
  "wrong-account": () => m.settle_wrong_account(),
};
/** Returns the sentence for a mismatch of the settlement report. */
export const settlementMismatchWord = (kind: MismatchKind): string => MISMATCHES[kind]();
