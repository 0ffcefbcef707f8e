import type { ProviderRefundState } from "#app/lib/vocabulary.ts";

/** The states of a refund that the provider makes. It begins as `pending`. Some banks accept a refund that failed at first. */
export const PROVIDER_REFUND_ACTIONS = {
  process: { from: ["pending", "failed"], to: "processed", by: ["provider"] },
  fail: { from: ["pending"], to: "failed", by: ["provider"] },
  retry: { from: ["failed"], to: "pending", by: ["admin"] },
} as const satisfies Record<
  string,
  { from: readonly ProviderRefundState[]; to: ProviderRefundState; by: readonly ("provider" | "admin")[] }
>;
