import type { Paise } from "#app/lib/money.ts";
import type { PaymentState } from "#app/lib/vocabulary.ts";

/** The states of a payment. It begins as `captured`. */
export const PAYMENT_ACTIONS = {
  refund: { from: ["captured", "partly-refunded"], to: "refunded", by: ["doctor", "member", "system"] },
  /** A refund that returned nothing is withdrawn. */
  restore: { from: ["refunded", "partly-refunded"], to: "captured", by: ["doctor", "member", "system"] },
  "restore-part": { from: ["refunded", "partly-refunded"], to: "partly-refunded", by: ["doctor", "member", "system"] },
  "refund-part": { from: ["captured", "partly-refunded"], to: "partly-refunded", by: ["doctor", "member", "system"] },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState; by: readonly ("doctor" | "member" | "system")[] }>;

export type PaymentAction = keyof typeof PAYMENT_ACTIONS;

/** Returns the action of a refund: `refund` when nothing of the payment is left. */
export const refundAction = (left: Paise): PaymentAction => (left === 0 ? "refund" : "refund-part");
