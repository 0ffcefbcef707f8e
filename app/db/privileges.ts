import type {
  auditLog,
  auditSeals,
  auditUnsealed,
  domainEvents,
  ledgerEntries,
  payments,
  receiptSeries,
  receipts,
  refunds,
  walletEntries,
  wallets,
} from "./schema/index.ts";

export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/** Privileges of the application role on tables not in RESTRICTED. New tables get them by default privileges. */
export const USUAL: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

type TableName = (
  | typeof auditLog
  | typeof auditSeals
  | typeof auditUnsealed
  | typeof domainEvents
  | typeof ledgerEntries
  | typeof payments
  | typeof receiptSeries
  | typeof receipts
  | typeof refunds
  | typeof walletEntries
  | typeof wallets
)["_"]["name"];
/** Tables with fewer privileges for the application role. Only the owner has TRUNCATE and DDL. */
export const RESTRICTED: Readonly<Record<TableName, readonly Privilege[]>> = {
  audit_log: ["SELECT", "INSERT"],
  audit_seals: ["SELECT", "INSERT"],
  /** Written by a trigger of the audit log, emptied by sealing. */
  audit_unsealed: ["SELECT", "DELETE"],
  domain_events: ["SELECT", "INSERT"],
  ledger_entries: ["SELECT", "INSERT"],
  payments: ["SELECT", "INSERT", "UPDATE"],
  receipt_series: ["SELECT", "INSERT", "UPDATE"],
  receipts: ["SELECT", "INSERT"],
  refunds: ["SELECT", "INSERT"],
  wallet_entries: ["SELECT", "INSERT"],
  /** Written only by a trigger of the ledger. */
  wallets: ["SELECT"],
};
