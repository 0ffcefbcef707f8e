import type { BusinessType, PayoutState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const STATES: Record<PayoutState, () => string> = {
  requested: () => m.payout_state_requested(),
  checking: () => m.payout_state_checking(),
  active: () => m.payout_state_active(),
  refused: () => m.payout_state_refused(),
};
export const payoutStateWord = (state: PayoutState): string => STATES[state]();

const TYPES: Record<BusinessType, () => string> = {
  individual: () => m.payout_type_individual(),
  proprietorship: () => m.payout_type_proprietorship(),
  partnership: () => m.payout_type_partnership(),
  llp: () => m.payout_type_llp(),
  private_limited: () => m.payout_type_private(),
  public_limited: () => m.payout_type_public(),
  trust: () => m.payout_type_trust(),
  society: () => m.payout_type_society(),
};
export const businessTypeWord = (type: BusinessType): string => TYPES[type]();

/** Returns what the provider refused, by the name of its field. */
export function payoutReasonWord(reason: string | null): string {
  if (!reason) return m.payout_reason_other();
  if (/pan/.test(reason)) return m.payout_reason_pan();
  if (/account_number|ifsc|beneficiary/.test(reason)) return m.payout_reason_bank();
  if (/address|street|postal|city|state/.test(reason)) return m.payout_reason_address();
  if (/email/.test(reason)) return m.payout_reason_email();
  if (/name/.test(reason)) return m.payout_reason_name();
  return m.payout_reason_other();
}
