/** Money that patients paid: payments, refunds, the ledger and receipts. */
import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { paise } from "#app/lib/money.ts";
import {
  ACCOUNT_RETURN_STATES,
  LEDGER_ACCOUNTS,
  PAYMENT_PROVIDERS,
  PAYMENT_STATES,
  PROVIDER_REFUND_STATES,
  RECEIVED_BY,
  REFUND_REASONS,
} from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, inPaise, sealedText } from "./columns.ts";
import { paymentOrders } from "./payment-orders.ts";
import { doctors } from "./people.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

/**
 * Money that a clinic received for an appointment. `merchantId` is who received it: the place whose staff act for the doctor, otherwise the
 * doctor. Without a foreign key, because it is either.
 */
export const payments = pgTable(
  "payments",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    merchantId: uuid().notNull(),
    method: text({ enum: RECEIVED_BY }).notNull(),
    amount: inPaise().notNull(),
    refunded: inPaise().notNull().default(paise(0)),
    /** The part of `refunded` that the clinic never received: it was recorded by mistake, so it is due again. */
    corrected: inPaise().notNull().default(paise(0)),
    /** What the patient paid to Nadi, beside `amount`, and what of it was returned. */
    platformFee: inPaise().notNull().default(paise(0)),
    platformFeeRefunded: inPaise().notNull().default(paise(0)),
    /** Transitions: money/payments/payment.state.ts. They are about `amount`. */
    state: text({ enum: PAYMENT_STATES }).notNull().default("captured"),
    /** The reference of the payer's bank, as staff typed it. */
    reference: sealedText(),
    /** The order that the provider collected, and its id of the payment. Both null for money received at the clinic. */
    orderId: uuid().references(() => paymentOrders.id),
    providerPaymentId: text(),
    /** The bank's reference (RRN) of an online payment, which the patient sees in their bank's app; null while the provider does not know it. */
    bankReference: text(),
    /** The appointment was gone when the money came: it is returned. */
    unseatable: boolean().notNull().default(false),
    /** The form's key, or the provider's id: a second press or a retry finds the first payment. */
    idempotencyKey: text().notNull(),
    receivedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payments_idempotency").on(t.appointmentId, t.idempotencyKey),
    index("payments_doctor").on(t.doctorId, t.receivedAt),
    index("payments_merchant_online").on(t.merchantId, t.receivedAt).where(sql`${t.method} = 'online'`),
    uniqueIndex("payments_of_provider").on(t.providerPaymentId),
    check(
      "payments_online",
      sql`(${t.method} = 'online') = (${t.orderId} is not null) and (${t.orderId} is null) = (${t.providerPaymentId} is null)`,
    ),
    unique("payments_of_merchant").on(t.id, t.merchantId),
    check("payments_amount", sql`${t.amount} > 0`),
    check("payments_refunded", sql`${t.refunded} between 0 and ${t.amount}`),
    check("payments_platform_fee", sql`${t.platformFee} >= 0 and (${t.platformFee} = 0 or ${t.method} = 'online')`),
    check("payments_platform_fee_refunded", sql`${t.platformFeeRefunded} between 0 and ${t.platformFee}`),
    check("payments_corrected", sql`${t.corrected} between 0 and ${t.refunded}`),
    check(
      "payments_state",
      sql`${t.state} = case ${t.refunded} when 0 then 'captured' when ${t.amount} then 'refunded' else 'partly-refunded' end`,
    ),
  ],
);
ofPatients(payments, {
  section: "payments",
  owner: { by: "appointmentId", of: appointments },
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: {
    ...shown("id appointmentId method reference bankReference receivedAt"),
    ...hidden("doctorId merchantId corrected state orderId providerPaymentId unseatable idempotencyKey"),
    amount: "amountPaise",
    refunded: "refundedPaise",
    platformFee: "platformFeePaise",
    platformFeeRefunded: "platformFeeRefundedPaise",
  },
  why: LAW.tax,
});

/** Money that a clinic returned to a patient. */
export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    paymentId: uuid()
      .notNull()
      .references(() => payments.id),
    method: text({ enum: RECEIVED_BY }).notNull(),
    /** What the clinic returned; 0 when only the platform fee is returned. The provider returns both together. */
    amount: inPaise().notNull(),
    platformFee: inPaise().notNull().default(paise(0)),
    reason: text({ enum: REFUND_REASONS }).notNull(),
    idempotencyKey: text().notNull(),
    refundedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("refunds_idempotency").on(t.paymentId, t.idempotencyKey),
    check("refunds_amount", sql`${t.amount} >= 0 and ${t.amount} + ${t.platformFee} > 0`),
    check("refunds_platform_fee", sql`${t.platformFee} >= 0 and (${t.platformFee} = 0 or ${t.method} = 'online')`),
  ],
);
ofPatients(refunds, {
  section: "refunds",
  owner: { by: "paymentId", of: payments },
  may: ["SELECT", "INSERT"],
  stays: {
    ...shown("id paymentId method reason refundedAt"),
    ...hidden("idempotencyKey"),
    amount: "amountPaise",
    platformFee: "platformFeePaise",
  },
  why: LAW.tax,
});

/**
 * How the provider returns a refund with the method `online`. `refunds` and the ledger have it from the start, so that nothing is refunded twice.
 */
export const providerRefunds = pgTable(
  "provider_refunds",
  {
    /** Sent to the provider as the idempotency key, with `attempt`. */
    refundId: uuid()
      .primaryKey()
      .references(() => refunds.id),
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    providerRefundId: text(),
    /** Transitions: money/refunds/provider-refund.state.ts. `pending`: not sent yet, or sent and not in the patient's account. */
    state: text({ enum: PROVIDER_REFUND_STATES }).notNull().default("pending"),
    /** Grows when a failed refund is sent again. */
    attempt: integer().notNull().default(1),
    /** The reference that the patient can show their bank. */
    bankReference: text(),
    requestedAt: createdAt(),
    /** When the provider accepted it. */
    sentAt: at(),
    /** When it was processed, failed or withdrawn. */
    settledAt: at(),
    /** When it may be tried next, and how often it was. */
    nextTryAt: createdAt(),
    tries: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("provider_refunds_of_provider").on(t.provider, t.providerRefundId),
    index("provider_refunds_to_send").on(t.nextTryAt).where(sql`${t.state} in ('pending', 'failed')`),
    check("provider_refunds_settled", sql`(${t.state} = 'pending') = (${t.settledAt} is null)`),
  ],
);
ofPatients(providerRefunds, {
  section: "refunds",
  owner: { by: "refundId", of: refunds },
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: {
    ...shown("bankReference settledAt"),
    ...hidden("refundId provider providerRefundId attempt requestedAt sentAt nextTryAt tries"),
    state: "providerState",
  },
  why: LAW.tax,
});

/**
 * What a payout account gets back: it paid for a refund that failed for good, and the clinic then returned the money itself. Written with the
 * withdrawal of the refund and sent by a job, at most once.
 */
export const accountReturns = pgTable(
  "account_returns",
  {
    /** Sent to the provider as a note, which finds the transfer after a lost answer. */
    refundId: uuid()
      .primaryKey()
      .references(() => refunds.id),
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** The provider's id of the linked account. */
    account: text().notNull(),
    amount: inPaise().notNull(),
    /** Transitions: money/refunds/account-return.state.ts. */
    state: text({ enum: ACCOUNT_RETURN_STATES }).notNull().default("pending"),
    /** The provider's id of the transfer. */
    providerTransferId: text(),
    requestedAt: createdAt(),
    /** When the account had the money, or nothing was to be given back. */
    settledAt: at(),
    /** When it may be tried next, and how often it was. */
    nextTryAt: createdAt(),
    tries: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("account_returns_of_provider").on(t.provider, t.providerTransferId),
    index("account_returns_to_send").on(t.nextTryAt).where(sql`${t.state} = 'pending'`),
    check("account_returns_amount", sql`${t.amount} > 0`),
    check("account_returns_settled", sql`(${t.state} = 'pending') = (${t.settledAt} is null)`),
    check("account_returns_sent", sql`(${t.state} = 'sent') = (${t.providerTransferId} is not null)`),
  ],
);
ofPatients(accountReturns, {
  section: null,
  owner: { by: "refundId", of: refunds },
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: hidden("refundId provider account amount state providerTransferId requestedAt settledAt nextTryAt tries"),
  why: LAW.tax,
});

/**
 * The double-entry ledger: the entries of a transfer sum to zero, which a deferred trigger checks at the commit. Append-only by trigger and by
 * role. Ids and amounts only, so rows stay when an account is deleted.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    transferId: uuid().notNull(),
    account: text({ enum: LEDGER_ACCOUNTS }).notNull(),
    /** Positive: debit (the account receives). Negative: credit (the account gives). */
    amount: inPaise().notNull(),
    /** null for a visit that a discount covers completely: it has no payment. */
    paymentId: uuid(),
    appointmentId: uuid().references(() => appointments.id),
    merchantId: uuid().notNull(),
    refundId: uuid().references(() => refunds.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    at: createdAt(),
  },
  (t) => [
    foreignKey({
      name: "ledger_entries_payment",
      columns: [t.paymentId, t.merchantId],
      foreignColumns: [payments.id, payments.merchantId],
    }),
    index("ledger_entries_transfer").on(t.transferId),
    index("ledger_entries_of_payment").on(t.paymentId),
    index("ledger_entries_doctor").on(t.doctorId, t.at),
    index("ledger_entries_merchant").on(t.merchantId, t.at),
    index("ledger_entries_appointment").on(t.appointmentId),
    check("ledger_entries_about", sql`(${t.paymentId} is null) = (${t.appointmentId} is not null)`),
    check("ledger_entries_amount", sql`${t.amount} <> 0`),
  ],
);
ofPatients(ledgerEntries, {
  section: null,
  owner: { by: "appointmentId", of: appointments },
  may: ["SELECT", "INSERT"],
  stays: hidden("id transferId account amount paymentId appointmentId merchantId refundId doctorId at"),
  why: LAW.tax,
});

/** The last receipt number of a merchant in an Indian financial year ("2026-27"). Its row lock makes the numbers gapless. */
export const receiptSeries = pgTable(
  "receipt_series",
  { merchantId: uuid().notNull(), financialYear: text().notNull(), last: integer().notNull() },
  (t) => [primaryKey({ name: "receipt_series_pk", columns: [t.merchantId, t.financialYear] })],
);
ofNoPatient(receiptSeries, { may: ["SELECT", "INSERT", "UPDATE"] });

/** The receipt of a payment. Append-only: name and address of the merchant stay as they were. */
export const receipts = pgTable(
  "receipts",
  {
    paymentId: uuid().primaryKey(),
    merchantId: uuid().notNull(),
    financialYear: text().notNull(),
    number: integer().notNull(),
    merchantName: text().notNull(),
    merchantAddress: text().notNull(),
    issuedAt: createdAt(),
  },
  (t) => [
    foreignKey({ name: "receipts_payment", columns: [t.paymentId, t.merchantId], foreignColumns: [payments.id, payments.merchantId] }),
    uniqueIndex("receipts_number").on(t.merchantId, t.financialYear, t.number),
    check("receipts_positive", sql`${t.number} > 0`),
  ],
);
ofPatients(receipts, {
  section: "payments",
  owner: { by: "paymentId", of: payments },
  may: ["SELECT", "INSERT"],
  stays: {
    ...hidden("paymentId merchantId merchantAddress issuedAt"),
    financialYear: "receiptYear",
    number: "receiptNumber",
    merchantName: "receivedBy",
  },
  why: LAW.tax,
});
