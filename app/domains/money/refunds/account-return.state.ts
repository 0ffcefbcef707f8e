import type { AccountReturnState } from "#app/lib/vocabulary.ts";

/**
 * The states of what a payout account gets back, because it paid for a refund that never reached the patient. It begins as `pending`. It is `unneeded`
 * when the provider took nothing from the account, or when the refund succeeded after all.
 */
export const ACCOUNT_RETURN_ACTIONS = {
  send: { from: ["pending"], to: "sent", by: ["system"] },
  drop: { from: ["pending"], to: "unneeded", by: ["system"] },
} as const satisfies Record<string, { from: readonly AccountReturnState[]; to: AccountReturnState; by: readonly "system"[] }>;
