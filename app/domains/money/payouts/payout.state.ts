import type { PayoutState } from "#app/lib/vocabulary.ts";

/**
 * The states of a payout account. It begins as `requested`, until the provider has it. A changed account starts there again: it is `active` only after
 * the provider has confirmed it. The provider may refuse an active account later.
 */
export const PAYOUT_ACTIONS = {
  request: { from: ["requested", "checking", "active", "refused"], to: "requested", by: ["doctor", "owner"] },
  send: { from: ["requested"], to: "checking", by: ["system"] },
  confirm: { from: ["checking"], to: "active", by: ["provider"] },
  refuse: { from: ["requested", "checking", "active"], to: "refused", by: ["provider"] },
} as const satisfies Record<
  string,
  { from: readonly PayoutState[]; to: PayoutState; by: readonly ("doctor" | "owner" | "system" | "provider")[] }
>;
