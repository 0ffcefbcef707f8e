import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { REFUND_HOURS } from "./refund-policy.ts";

/** Setting the refund policy, and prepayment where a payment provider is configured. */
export const RefundPolicySchema = z.object({
  hours: z
    .enum(REFUND_HOURS.map(String) as [string, ...string[]], { error: () => m.refunds_policy_missing() })
    .transform((text) => REFUND_HOURS.find((hours) => String(hours) === text)!),
  prepay: z.boolean().default(false),
});
