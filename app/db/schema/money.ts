import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { paise } from "#app/lib/money.ts";
import type { PayoutDetails } from "#app/lib/payout-details.ts";
import type { InvoiceTerms, TaxLine } from "#app/lib/platform-fee.ts";
import {
  ACCOUNT_RETURN_STATES,
  LEDGER_ACCOUNTS,
  MESSAGE_REFUSALS,
  PAYMENT_ORDER_STATES,
  PAYMENT_PROVIDERS,
  PAYMENT_STATES,
  PAYOUT_STATES,
  PLATFORM_FEE_DOCUMENTS,
  PROVIDER_REFUND_STATES,
  RECEIVED_BY,
  REFUND_REASONS,
  SETTLEMENT_LINE_KINDS,
} from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, inPaise, sealedJson, sealedText } from "./columns.ts";
import { doctors } from "./people.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

/**
 * What a payment provider is asked to collect for an appointment. An appointment has at most one open order, so that two tabs pay the same one.
 * Only ids and amounts: rows stay when an account is deleted.
 */
export const paymentOrders = pgTable(
  "payment_orders",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    /** Who receives the money: as in `payments`. */
    merchantId: uuid().notNull(),
    /** What the clinic gets. The provider collects it with the platform fee. */
    amount: inPaise().notNull(),
    platformFee: inPaise().notNull().default(paise(0)),
    /** What its invoice will say, whatever is configured when the money comes. */
    platformFeeTerms: jsonb().$type<InvoiceTerms>(),
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** null until the provider has answered. */
    providerOrderId: text(),
    /**
     * The linked account to which the provider passes the whole amount on, without the platform fee; null: none. Never changes, whatever happens to
     * the payout account.
     */
    transferAccount: text(),
    /** Transitions: money/orders/order.state.ts. A payment may still arrive for an expired order. */
    state: text({ enum: PAYMENT_ORDER_STATES }).notNull().default("created"),
    expiresAt: at().notNull(),
    /** When the patient came back from the provider, or the bank reserved the money: the bank is still confirming. */
    confirmingAt: at(),
    /** When an attempt failed last. The patient may try again with the same order. */
    attemptFailedAt: at(),
    /** When the provider was asked last. */
    checkedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payment_orders_of_provider").on(t.provider, t.providerOrderId),
    uniqueIndex("payment_orders_one_open").on(t.appointmentId).where(sql`${t.state} = 'created'`),
    index("payment_orders_appointment").on(t.appointmentId),
    index("payment_orders_created").on(t.createdAt),
    check("payment_orders_amount", sql`${t.amount} > 0`),
    check("payment_orders_platform_fee", sql`${t.platformFee} >= 0 and (${t.platformFee} > 0) = (${t.platformFeeTerms} is not null)`),
    check("payment_orders_transfer", sql`${t.transferAccount} <> ''`),
  ],
);
ofPatients(paymentOrders, {
  section: "paymentOrders",
  owner: { by: "appointmentId", of: appointments },
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: {
    ...shown("id appointmentId provider state expiresAt createdAt"),
    ...hidden("doctorId merchantId platformFeeTerms providerOrderId transferAccount confirmingAt attemptFailedAt"),
    ...hidden("checkedAt"),
    amount: "amountPaise",
    platformFee: "platformFeePaise",
  },
  why: LAW.tax,
});

/** What an event says about money: without names, numbers and addresses of the payer. */
export type EventFact = {
  kind: string;
  orderId: string | null;
  payment: {
    id: string;
    status: string;
    amount: number;
    currency: string;
    captured: boolean;
    refunded: number;
    method: string | null;
  } | null;
  refund: { id: string; paymentId: string; status: string; amount: number; ownId: string | null; reference: string | null } | null;
};

/**
 * Signed messages of a provider, stored before they are applied. The message names the payer, so it is sealed under the row's own key. Append-only
 * by trigger, except `appliedAt`, once, and a new sealing of `dataKey`.
 */
export const paymentEvents = pgTable(
  "payment_events",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** The provider's id: the same event may be delivered several times. */
    eventId: text().notNull(),
    dataKey: sealedText().notNull(),
    /** The bytes as they were signed, base64. */
    raw: sealedText("row").notNull(),
    fact: jsonb().$type<EventFact>().notNull(),
    /** Our order. */
    orderId: uuid()
      .notNull()
      .references(() => paymentOrders.id),
    receivedAt: createdAt(),
    appliedAt: at(),
  },
  (t) => [
    primaryKey({ name: "payment_events_pk", columns: [t.provider, t.eventId] }),
    index("payment_events_order").on(t.orderId, t.receivedAt),
    index("payment_events_received").on(t.receivedAt),
    index("payment_events_unapplied").on(t.receivedAt).where(sql`${t.appliedAt} is null`),
  ],
);
ofPatients(paymentEvents, {
  section: null,
  owner: { by: "orderId", of: paymentOrders },
  // A trigger allows one change: `appliedAt`, and a new sealing of the key.
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: hidden("provider eventId dataKey raw fact orderId receivedAt appliedAt"),
  why: LAW.tax,
});

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
    ...shown("id appointmentId method reference receivedAt"),
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

/** The last numbers of an Indian financial year. One row for both kinds, so that two transactions never wait for each other's. */
export const platformFeeSeries = pgTable("platform_fee_series", {
  financialYear: text().primaryKey(),
  invoices: integer().notNull().default(0),
  creditNotes: integer().notNull().default(0),
});
ofNoPatient(platformFeeSeries, { may: ["SELECT", "INSERT", "UPDATE"] });

/**
 * Invoices and credit notes of the platform fee, from its invoicer to the patient. Append-only by trigger and by role: amounts, tax and invoicer stay as
 * they were.
 */
export const platformFeeDocuments = pgTable(
  "platform_fee_documents",
  {
    id: id(),
    kind: text({ enum: PLATFORM_FEE_DOCUMENTS }).notNull(),
    paymentId: uuid()
      .notNull()
      .references(() => payments.id),
    /** The refund of a credit note. Of an invoice: a refund that was withdrawn, so that its credit note no longer counts; null for that of the payment. */
    refundId: uuid().references(() => refunds.id),
    financialYear: text().notNull(),
    number: integer().notNull(),
    /** With tax. */
    amount: inPaise().notNull(),
    /** Without tax. With the lines of `tax` it sums to `amount`. */
    taxable: inPaise().notNull(),
    tax: jsonb().$type<TaxLine[]>().notNull(),
    invoicer: text().notNull(),
    gstin: text(),
    issuedAt: createdAt(),
  },
  (t) => [
    unique("platform_fee_documents_once").on(t.paymentId, t.kind, t.refundId).nullsNotDistinct(),
    uniqueIndex("platform_fee_documents_number").on(t.kind, t.financialYear, t.number),
    check("platform_fee_documents_refund", sql`${t.kind} = 'invoice' or ${t.refundId} is not null`),
    check("platform_fee_documents_amount", sql`${t.amount} > 0 and ${t.taxable} between 0 and ${t.amount}`),
    check("platform_fee_documents_positive", sql`${t.number} > 0`),
  ],
);
ofPatients(platformFeeDocuments, {
  section: "platformFeeDocuments",
  owner: { by: "paymentId", of: payments },
  may: ["SELECT", "INSERT"],
  stays: {
    ...shown("id kind paymentId refundId financialYear number tax invoicer gstin issuedAt"),
    amount: "amountPaise",
    taxable: "taxablePaise",
  },
  why: LAW.tax,
});

/**
 * What the provider paid out, line by line, as its settlement report says. Append-only by trigger and by role. Only the provider's ids and
 * amounts: lines that we do not know are stored too.
 */
export const settlementLines = pgTable(
  "settlement_lines",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    settlementId: text().notNull(),
    kind: text({ enum: SETTLEMENT_LINE_KINDS }).notNull(),
    /** The provider's id of the payment, refund, transfer, reversal or adjustment. */
    lineId: text().notNull(),
    /** The provider's payment that the line is about; null when the report names none. */
    paymentId: text(),
    amount: inPaise().notNull(),
    /** With its GST, which is `tax`. */
    fee: inPaise().notNull(),
    tax: inPaise().notNull(),
    credit: inPaise().notNull(),
    debit: inPaise().notNull(),
    /** The UTR of the transfer to the bank account. */
    bankReference: text().notNull(),
    settledAt: at().notNull(),
    readAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "settlement_lines_pk", columns: [t.provider, t.settlementId, t.kind, t.lineId] }),
    index("settlement_lines_line").on(t.provider, t.kind, t.lineId),
    index("settlement_lines_payment").on(t.provider, t.kind, t.paymentId),
    index("settlement_lines_settled").on(t.provider, t.settledAt),
  ],
);
ofNoPatient(settlementLines, { may: ["SELECT", "INSERT"] });

/**
 * What the provider paid out from a linked account to its bank. Stored with all its transfers at once, so a row is complete. Append-only by trigger and
 * by role. Only the provider's ids and amounts: settlements that we do not know are stored too.
 */
export const accountSettlements = pgTable(
  "account_settlements",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    settlementId: text().notNull(),
    /** The provider's id of the linked account. */
    account: text().notNull(),
    /** What the bank received: the transfers, less reversals and the fee. */
    amount: inPaise().notNull(),
    /** With its GST, which is `tax`. */
    fee: inPaise().notNull(),
    tax: inPaise().notNull(),
    /** The UTR of the transfer to the bank account. */
    bankReference: text().notNull(),
    settledAt: at().notNull(),
    readAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "account_settlements_pk", columns: [t.provider, t.settlementId] }),
    index("account_settlements_settled").on(t.provider, t.settledAt),
    index("account_settlements_account").on(t.provider, t.account, t.settledAt),
  ],
);
ofNoPatient(accountSettlements, { may: ["SELECT", "INSERT"] });

/** The transfers of a settlement of a linked account, as they were when it was read. Append-only by trigger and by role. */
export const accountSettlementLines = pgTable(
  "account_settlement_lines",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    settlementId: text().notNull(),
    transferId: text().notNull(),
    account: text().notNull(),
    /** The provider's id of the payment, or of the order that asked for the transfer. */
    sourceId: text().notNull(),
    amount: inPaise().notNull(),
    reversed: inPaise().notNull(),
  },
  (t) => [
    primaryKey({ name: "account_settlement_lines_pk", columns: [t.provider, t.settlementId, t.transferId] }),
    foreignKey({
      name: "account_settlement_lines_of",
      columns: [t.provider, t.settlementId],
      foreignColumns: [accountSettlements.provider, accountSettlements.settlementId],
    }),
    index("account_settlement_lines_transfer").on(t.provider, t.transferId),
    index("account_settlement_lines_source").on(t.provider, t.sourceId),
  ],
);
ofNoPatient(accountSettlementLines, { may: ["SELECT", "INSERT"] });

/** When the settlement report was read last, and how many lines, payments and refunds did not agree then. */
export const settlementReads = pgTable("settlement_reads", {
  provider: text({ enum: PAYMENT_PROVIDERS }).primaryKey(),
  readAt: at().notNull(),
  mismatches: integer().notNull(),
});
ofNoPatient(settlementReads);

/**
 * Messages to the payment webhook that were refused, counted by hour and reason, so that an attacker cannot fill the table. Nothing of the message
 * is stored, except the provider's id of one with a valid signature.
 */
export const refusedMessages = pgTable(
  "refused_messages",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** The start of the hour. */
    hour: at().notNull(),
    reason: text({ enum: MESSAGE_REFUSALS }).notNull(),
    /** Stops at `MOST_COUNTED` (money/refused-messages). */
    count: integer().notNull(),
    firstAt: at().notNull(),
    lastAt: at().notNull(),
    /** The provider's id of the last message with a valid signature. */
    eventId: text(),
  },
  (t) => [primaryKey({ name: "refused_messages_pk", columns: [t.provider, t.hour, t.reason] })],
);
ofNoPatient(refusedMessages);

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
