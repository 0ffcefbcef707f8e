import type { auditLog, auditSeals, auditUnsealed, walletEntries, wallets } from "./schema/index.ts";

export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/** What the application role may do with a table that is not listed in RESTRICTED; new tables get it by default privileges. */
export const USUAL: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

type TableName = (typeof auditLog | typeof auditSeals | typeof auditUnsealed | typeof walletEntries | typeof wallets)["_"]["name"];
/** Tables that the application role may not change freely. TRUNCATE and DDL belong to the owner alone. */
export const RESTRICTED: Readonly<Record<TableName, readonly Privilege[]>> = {
  audit_log: ["SELECT", "INSERT"],
  audit_seals: ["SELECT", "INSERT"],
  /** Written by the trigger of the log, emptied by sealing. */
  audit_unsealed: ["SELECT", "DELETE"],
  wallet_entries: ["SELECT", "INSERT"],
  /** Written by the trigger of the ledger only. */
  wallets: ["SELECT"],
};
