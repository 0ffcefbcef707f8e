/** Where a doctor, a hospital or a clinic is paid, and its rules of payment. */
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { PayoutDetails } from "#app/lib/payout-details.ts";
import { PAYMENT_PROVIDERS, PAYOUT_STATES } from "#app/lib/vocabulary.ts";
import { createdAt, sealedJson } from "./columns.ts";
import { ofNoPatient } from "./policy.ts";

/**
 * Where the provider is to pay out what a merchant receives: its linked account. `merchantId` as in `payments`. Full numbers are stored until the
 * provider has them, and never shown.
 */
export const payoutAccounts = pgTable(
  "payout_accounts",
  {
    merchantId: uuid().primaryKey(),
    isPlace: boolean().notNull(),
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** Transitions: money/payouts/payout.state.ts. */
    state: text({ enum: PAYOUT_STATES }).notNull().default("requested"),
    /** What the provider refused: the name of a field ("kyc.pan"), or null. */
    reason: text(),
    accountLast4: text().notNull(),
    ifscCode: text().notNull(),
    /** Deleted when the provider has it. */
    details: sealedJson<PayoutDetails>(),
    /** The provider's ids. Each is stored at once, so that a repeat continues there. */
    accountId: text(),
    stakeholderId: text(),
    productId: text(),
    /** The request that is under way: an answer to an earlier one changes nothing. */
    requestedAt: createdAt(),
    stateAt: createdAt(),
    nextTryAt: createdAt(),
    tries: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("payout_accounts_of_provider").on(t.provider, t.accountId),
    index("payout_accounts_due").on(t.nextTryAt),
    check("payout_accounts_details", sql`(${t.state} = 'requested') = (${t.details} is not null)`),
  ],
);
ofNoPatient(payoutAccounts);

/** The payment rules of a merchant: hours before the start until which a cancellation is refunded (booking/cancellation/refund-policy.ts; no row: 24), and prepayment. */
export const refundPolicies = pgTable(
  "refund_policies",
  {
    merchantId: uuid().primaryKey(),
    hours: smallint().notNull(),
    /** New appointments that patients book must be paid online, or a job cancels them (booking/prepayment). */
    prepay: boolean().notNull().default(false),
    changedAt: createdAt(),
  },
  (t) => [check("refund_policies_hours", sql`${t.hours} between 0 and 24`)],
);
ofNoPatient(refundPolicies);
