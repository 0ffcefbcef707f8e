import { getTableConfig } from "drizzle-orm/pg-core";
import "./schema/index.ts";
import { allPolicies, type Privilege } from "./schema/policy.ts";

/** Privileges of the application role on tables not in RESTRICTED. New tables get them by default privileges. */
export const USUAL: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

/** Tables with fewer privileges for the application role, declared under each table as `may`. Only the owner has TRUNCATE and DDL. */
export const RESTRICTED: Readonly<Record<string, readonly Privilege[]>> = Object.fromEntries(
  [...allPolicies()].flatMap(([table, { may }]) => (may ? [[getTableConfig(table).name, may] as const] : [])),
);
