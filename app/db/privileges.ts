import type { auditLog, auditSeals, auditUnsealed, domainEvents, walletEntries, wallets } from "./schema/index.ts";

export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/** Privileges of the application role on tables not in RESTRICTED. New tables get them by default privileges. */
export const USUAL: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

type TableName = (
  | typeof auditLog
  | typeof auditSeals
  | typeof auditUnsealed
  | typeof domainEvents
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
  wallet_entries: ["SELECT", "INSERT"],
  /** Written only by a trigger of the ledger. */
  wallets: ["SELECT"],
};
