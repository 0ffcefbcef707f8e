import { z } from "zod";
import { plainDigits } from "#app/lib/digits.ts";
import { parseRupees } from "#app/lib/money.ts";
import { AT_CLINIC, RECEIVED_BY, STAFF_REFUND_REASONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Most paise of one payment: ₹1,00,000, as a fee. */
const MOST = 10_000_000;

/** Rupees as typed ("₹1,250.50"), in paise. */
const amount = z
  .string({ error: () => m.money_amount_missing() })
  .transform((text) => parseRupees(plainDigits(text)))
  .refine((paise) => paise !== null && paise > 0, { error: () => m.money_amount_malformed() })
  .refine((paise) => paise === null || paise <= MOST, { error: () => m.money_amount_most() })
  .transform((paise) => paise!);
const key = z.string().min(8).max(100);

/** Recording a payment. The reference is only for UPI. */
export const RecordPaymentSchema = z
  .object({
    method: z.enum(AT_CLINIC, { error: () => m.money_method_missing() }),
    amount,
    reference: z
      .string()
      .optional()
      .transform((text) => plainDigits(text ?? "").replace(/\s/g, ""))
      .refine((text) => text === "" || /^[A-Za-z0-9]{6,35}$/.test(text), { error: () => m.money_reference_malformed() }),
    key,
  })
  .transform(({ reference, ...payment }) => ({ ...payment, reference: payment.method === "upi" && reference ? reference : null }));

/** Recording a refund. */
export const RefundSchema = z.object({
  method: z.enum(RECEIVED_BY, { error: () => m.money_method_missing() }),
  amount,
  reason: z.enum(STAFF_REFUND_REASONS, { error: () => m.money_reason_missing() }),
  /** The refund by the provider that failed, whose money is returned now. */
  failed: z.string().max(40).optional(),
  key,
});
