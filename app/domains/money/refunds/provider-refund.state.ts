import type { ProviderRefundState } from "#app/lib/vocabulary.ts";

/**
 * The states of a refund that the provider makes. It begins as `pending`. Some banks accept a refund that failed at first. One that returned nothing is
 * `withdrawn` when the money was returned in another way, or when the provider's dashboard made it and it failed.
 */
export const PROVIDER_REFUND_ACTIONS = {
  process: { from: ["pending", "failed"], to: "processed", by: ["provider"] },
  fail: { from: ["pending"], to: "failed", by: ["provider"] },
  retry: { from: ["failed"], to: "pending", by: ["system", "doctor", "member"] },
  withdraw: { from: ["pending", "failed"], to: "withdrawn", by: ["system", "doctor", "member"] },
} as const satisfies Record<
  string,
  { from: readonly ProviderRefundState[]; to: ProviderRefundState; by: readonly ("provider" | "system" | "doctor" | "member")[] }
>;
