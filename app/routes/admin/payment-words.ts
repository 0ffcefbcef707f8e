import type { PaymentOrderState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const STATES: Record<PaymentOrderState, () => string> = {
  created: () => m.admin_pay_state_created(),
  paid: () => m.admin_pay_state_paid(),
  expired: () => m.admin_pay_state_expired(),
  failed: () => m.admin_pay_state_failed(),
};
export const orderStateWord = (state: PaymentOrderState): string => STATES[state]();
