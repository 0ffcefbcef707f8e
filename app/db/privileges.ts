import type {
  accountReturns,
  accountSettlementLines,
  accountSettlements,
  auditLog,
  auditSeals,
  auditUnsealed,
  domainEvents,
  ledgerEntries,
  paymentEvents,
  paymentOrders,
  payments,
  platformFeeDocuments,
  platformFeeSeries,
  providerRefunds,
  receiptSeries,
  receipts,
  refunds,
  settlementLines,
  visitDocuments,
  visitNotes,
  walletEntries,
  wallets,
} from "./schema/index.ts";

export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/** Privileges of the application role on tables not in RESTRICTED. New tables get them by default privileges. */
export const USUAL: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

type TableName = (
  | typeof accountReturns
  | typeof accountSettlementLines
  | typeof accountSettlements
  | typeof auditLog
  | typeof auditSeals
  | typeof auditUnsealed
  | typeof domainEvents
  | typeof ledgerEntries
  | typeof paymentEvents
  | typeof paymentOrders
  | typeof payments
  | typeof platformFeeDocuments
  | typeof platformFeeSeries
  | typeof providerRefunds
  | typeof receiptSeries
  | typeof receipts
  | typeof refunds
  | typeof settlementLines
  | typeof visitDocuments
  | typeof visitNotes
  | typeof walletEntries
  | typeof wallets
)["_"]["name"];
/** Tables with fewer privileges for the application role. Only the owner has TRUNCATE and DDL. */
export const RESTRICTED: Readonly<Record<TableName, readonly Privilege[]>> = {
  account_returns: ["SELECT", "INSERT", "UPDATE"],
  account_settlement_lines: ["SELECT", "INSERT"],
  account_settlements: ["SELECT", "INSERT"],
  audit_log: ["SELECT", "INSERT"],
  audit_seals: ["SELECT", "INSERT"],
  /** Written by a trigger of the audit log, emptied by sealing. */
  audit_unsealed: ["SELECT", "DELETE"],
  domain_events: ["SELECT", "INSERT"],
  ledger_entries: ["SELECT", "INSERT"],
  /** A trigger allows one change: `appliedAt`, and a new sealing of the key. */
  payment_events: ["SELECT", "INSERT", "UPDATE"],
  payment_orders: ["SELECT", "INSERT", "UPDATE"],
  payments: ["SELECT", "INSERT", "UPDATE"],
  platform_fee_documents: ["SELECT", "INSERT"],
  platform_fee_series: ["SELECT", "INSERT", "UPDATE"],
  provider_refunds: ["SELECT", "INSERT", "UPDATE"],
  receipt_series: ["SELECT", "INSERT", "UPDATE"],
  receipts: ["SELECT", "INSERT"],
  refunds: ["SELECT", "INSERT"],
  settlement_lines: ["SELECT", "INSERT"],
  /** Triggers refuse changes of what is signed. */
  visit_documents: ["SELECT", "INSERT", "UPDATE"],
  visit_notes: ["SELECT", "INSERT", "UPDATE"],
  wallet_entries: ["SELECT", "INSERT"],
  /** Written only by a trigger of the ledger. */
  wallets: ["SELECT"],
};
