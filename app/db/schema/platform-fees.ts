/** The documents of the platform fee and their numbers. */
import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { TaxLine } from "#app/lib/platform-fee.ts";
import { PLATFORM_FEE_DOCUMENTS } from "#app/lib/vocabulary.ts";
import { createdAt, id, inPaise } from "./columns.ts";
import { payments, refunds } from "./payments.ts";
import { LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

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
