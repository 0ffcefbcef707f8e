import { eq, getTableColumns, inArray, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#app/db/client.server.ts";
import { policyOf } from "#app/db/schema/policy.ts";
import { primaryKeyOf, readable } from "#app/db/sealed.server.ts";

const columnsOf = (table: PgTable): Record<string, PgColumn> => getTableColumns(table);
const keyOf = (table: PgTable) => primaryKeyOf(table)[0] as PgColumn;

/** Returns what the download shows of a table by its policy, decrypted, under the names of the download. */
export function shownColumns(table: PgTable): Record<string, PgColumn | SQL> {
  const shown = Object.entries(policyOf(table).columns).filter(([, { name }]) => name !== null);
  return Object.fromEntries(shown.map(([key, { name }]) => [name, readable(columnsOf(table), key)]));
}

/** Returns the column with the patient's id, and the tables to join that lead from the table to it. */
export function ownerOf(table: PgTable): { column: PgColumn; joins: { table: PgTable; on: SQL }[] } {
  const { owner } = policyOf(table);
  const columns = columnsOf(table);
  if (typeof owner === "string") return { column: columns[owner]!, joins: [] };
  const { column, joins } = ownerOf(owner.of);
  return { column, joins: [{ table: owner.of, on: eq(keyOf(owner.of), columns[owner.by]!) }, ...joins] };
}

/** Returns the condition of a patient's rows. */
export function isOwn(db: Db, table: PgTable, patientId: string): SQL {
  const { owner } = policyOf(table);
  const columns = columnsOf(table);
  if (typeof owner === "string") return eq(columns[owner]!, patientId);
  const { of } = owner;
  return inArray(
    columns[owner.by]!,
    db
      .select({ id: keyOf(of) })
      .from(of)
      .where(isOwn(db, of, patientId)),
  );
}
