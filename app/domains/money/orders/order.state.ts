import type { PaymentOrderState } from "#app/lib/vocabulary.ts";

/** The states of an order. It begins as `created`. It fails when the provider refuses it. Money may still come for one that expired. */
export const PAYMENT_ORDER_ACTIONS = {
  pay: { from: ["created", "expired", "failed"], to: "paid", by: ["provider"] },
  expire: { from: ["created"], to: "expired", by: ["system"] },
  fail: { from: ["created"], to: "failed", by: ["system"] },
} as const satisfies Record<string, { from: readonly PaymentOrderState[]; to: PaymentOrderState; by: readonly ("provider" | "system")[] }>;
