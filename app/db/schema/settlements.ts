/** What the payment provider paid out, as its reports say. */
import { foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { PAYMENT_PROVIDERS, SETTLEMENT_LINE_KINDS } from "#app/lib/vocabulary.ts";
import { at, createdAt, inPaise } from "./columns.ts";
import { ofNoPatient } from "./policy.ts";

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
