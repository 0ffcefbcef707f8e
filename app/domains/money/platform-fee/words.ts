import { PREPAY_MINUTES } from "#app/domains/booking/cancellation/refund-policy.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import type { PlatformFeeDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

export const documentWord = (kind: PlatformFeeDocumentKind): string =>
  kind === "invoice" ? m.platform_kind_invoice() : m.platform_kind_credit_note();

/** Returns what paying online adds, for the page before booking. Empty where it adds nothing. */
export const platformFeeBeforeWord = (fee: Paise | null): string => (fee ? m.platform_before({ fee: formatRupees(fee) }) : "");

/** Returns the rule of a clinic that asks for prepayment, with the platform fee where there is one. */
export const prepaidWord = (fee: Paise | null): string =>
  [m.prepay_rule({ minutes: PREPAY_MINUTES }), fee && m.platform_prepaid({ fee: formatRupees(fee) })].filter(Boolean).join(" ");
