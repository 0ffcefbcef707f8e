import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
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
import { LEDGER_ACCOUNTS, PAYMENT_STATES, RECEIVED_BY, REFUND_REASONS } from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { createdAt, id, sealedText } from "./columns.ts";
import { doctors } from "./people.ts";

/** Whole paise, exact up to 9 007 199 254 740 991. */
const paise = () => bigint({ mode: "number" }).notNull();

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
    amount: paise(),
    refunded: bigint({ mode: "number" }).notNull().default(0),
    /** The part of `refunded` that the clinic never received: it was recorded by mistake, so it is due again. */
    corrected: bigint({ mode: "number" }).notNull().default(0),
    /** Transitions: money/payments/payment.state.ts. */
    state: text({ enum: PAYMENT_STATES }).notNull().default("captured"),
    /** The reference of the payer's bank, as staff typed it. */
    reference: sealedText(),
    /** The form's key: a second press or a retry finds the first payment. */
    idempotencyKey: text().notNull(),
    receivedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payments_idempotency").on(t.appointmentId, t.idempotencyKey),
    index("payments_doctor").on(t.doctorId, t.receivedAt),
    unique("payments_of_merchant").on(t.id, t.merchantId),
    check("payments_amount", sql`${t.amount} > 0`),
    check("payments_refunded", sql`${t.refunded} between 0 and ${t.amount}`),
    check("payments_corrected", sql`${t.corrected} between 0 and ${t.refunded}`),
    check(
      "payments_state",
      sql`${t.state} = case ${t.refunded} when 0 then 'captured' when ${t.amount} then 'refunded' else 'partly-refunded' end`,
    ),
  ],
);

/** Money that a clinic returned to a patient. */
export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    paymentId: uuid()
      .notNull()
      .references(() => payments.id),
    method: text({ enum: RECEIVED_BY }).notNull(),
    amount: paise(),
    reason: text({ enum: REFUND_REASONS }).notNull(),
    idempotencyKey: text().notNull(),
    refundedAt: createdAt(),
  },
  (t) => [uniqueIndex("refunds_idempotency").on(t.paymentId, t.idempotencyKey), check("refunds_amount", sql`${t.amount} > 0`)],
);

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
    amount: paise(),
    paymentId: uuid().notNull(),
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
    check("ledger_entries_amount", sql`${t.amount} <> 0`),
  ],
);

/** The last receipt number of a merchant in an Indian financial year ("2026-27"). Its row lock makes the numbers gapless. */
export const receiptSeries = pgTable(
  "receipt_series",
  { merchantId: uuid().notNull(), financialYear: text().notNull(), last: integer().notNull() },
  (t) => [primaryKey({ name: "receipt_series_pk", columns: [t.merchantId, t.financialYear] })],
);

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
