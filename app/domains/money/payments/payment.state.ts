import type { PaymentState } from "#app/lib/vocabulary.ts";

/** The states of a payment. It begins as `captured`. */
export const PAYMENT_ACTIONS = {
  refund: { from: ["captured", "partly-refunded"], to: "refunded", by: ["doctor", "member"] },
  "refund-part": { from: ["captured", "partly-refunded"], to: "partly-refunded", by: ["doctor", "member"] },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState; by: readonly ("doctor" | "member")[] }>;

export type PaymentAction = keyof typeof PAYMENT_ACTIONS;

/** Returns the action of a refund: `refund` when nothing of the payment is left. */
export const refundAction = (left: number): PaymentAction => (left === 0 ? "refund" : "refund-part");
