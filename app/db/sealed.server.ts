/**
 * Encrypts and decrypts sealed columns (schema/columns.ts, docs/decisions/045). Table, column and row are the associated data
 * of each value: a value copied to another row does not decrypt.
 */
import { getTableColumns, is, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { type AnyPgColumn, getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { ARE_YOU_SEALED, SEALED_FORM, type Sealed } from "./schema/columns.ts";
import * as schema from "./schema/index.ts";

type Keys = readonly [string, ...string[]];
type ContentOf<C extends AnyPgColumn> = C["_"]["data"] extends Sealed<infer T> ? T : never;
/** Primary key of a row. A composite key is a list in the order of the schema. */
type RowKey = string | readonly string[];

const isJson = (column: AnyPgColumn) => column.getSQLType() === "jsonb";

const primaryKeys = new Map<PgTable, readonly AnyPgColumn[]>();
/** Returns the columns of a table's primary key. */
export function primaryKeyOf(table: PgTable): readonly AnyPgColumn[] {
  let found = primaryKeys.get(table);
  if (!found) {
    const { columns, primaryKeys: composite } = getTableConfig(table);
    // The columns of a composite key are copies: find the table's own columns by name.
    const named = composite[0]?.columns.map(({ name }) => name);
    found = named ? named.flatMap((name) => columns.filter((column) => column.name === name)) : columns.filter((column) => column.primary);
    primaryKeys.set(table, found);
  }
  return found;
}

const names = new Map<AnyPgColumn, string>();
/** Returns "table|column|row" in database names. */
function aboutOf(column: AnyPgColumn, row: RowKey): string {
  let name = names.get(column);
  if (!name) {
    name = `${getTableConfig(column.table as PgTable).name}|${toSnakeCase(column.name)}`;
    names.set(column, name);
  }
  return `${name}|${typeof row === "string" ? row : row.join("|")}`;
}

/**
 * Encrypts a value for a column of one row. Null stays null.
 * @param keys default: this server's. Other keys: a row's data key, or those of another database
 */
export function sealed<C extends AnyPgColumn, V extends ContentOf<C> | null>(
  column: C,
  row: RowKey,
  value: V,
  keys: Keys = env().encryptionKeys,
): Sealed<ContentOf<C>> | Extract<V, null> {
  if (value === null) return null as Extract<V, null>;
  const text = isJson(column) ? JSON.stringify(value) : String(value);
  return encrypt(text, keys, aboutOf(column, row)) as unknown as Sealed<ContentOf<C>>;
}

/**
 * Decrypts a value read from `row`. Returns text stored before the column was encrypted unchanged.
 * @throws when no key matches, or the value was changed or moved
 */
export function open<C extends AnyPgColumn>(column: C, row: RowKey, value: Sealed<ContentOf<C>>, keys: Keys = env().encryptionKeys) {
  const stored = value as unknown as string;
  const text = SEALED_FORM.test(stored) ? decrypt(stored, keys, aboutOf(column, row)) : stored;
  return (isJson(column) ? JSON.parse(text) : text) as ContentOf<C>;
}

/**
 * Selects the decrypted content of a column: `select({ reason: opened(appointments.reason) })`. Throws like `open`.
 * @param dataKey the encrypted column with the row's data key, when that key encrypts the content
 */
export function opened<C extends AnyPgColumn>(
  column: C,
  dataKey?: AnyPgColumn,
): SQL<C["_"]["notNull"] extends true ? ContentOf<C> : ContentOf<C> | null> {
  const row = sql.join(
    primaryKeyOf(column.table as PgTable).map((key) => sql`${key}::text`),
    sql` || '|' || `,
  );
  const value = isJson(column) ? sql`(${column} #>> '{}')` : sql`${column}`;
  // Neither primary keys nor encrypted keys contain spaces. A null makes the whole value null, which is not decoded.
  const selected = dataKey ? sql`${row} || ' ' || ${dataKey} || ' ' || ${value}` : sql`${row} || ' ' || ${value}`;
  return selected.mapWith((text: string) => {
    const [key, rest] = cut(text);
    if (!dataKey) return open(column, key, rest as unknown as Sealed<ContentOf<C>>);
    const [sealedKey, content] = cut(rest);
    const own = open(dataKey, key, sealedKey as unknown as Sealed<never>) as string;
    return open(column, key, content as unknown as Sealed<ContentOf<C>>, [own]);
  }) as SQL<C["_"]["notNull"] extends true ? ContentOf<C> : ContentOf<C> | null>;
}
function cut(text: string): [string, string] {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

export type SealedTable = { table: PgTable; name: string; columns: readonly AnyPgColumn[] };
/** Returns every table with columns encrypted under ENCRYPTION_KEY. Omits columns under a row's data key. */
export function sealedTables(): SealedTable[] {
  return Object.values(schema)
    .filter((part) => is(part, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table);
      const found = columns.filter(isSealed);
      return found.length ? [{ table, name, columns: found }] : [];
    });
}
/** Under which key a column is encrypted; null: it is in clear. */
const sealedUnder = (column: AnyPgColumn) => (column.columnType === "PgCustomColumn" ? column.mapToDriverValue(ARE_YOU_SEALED) : null);
const isSealed = (column: AnyPgColumn) => sealedUnder(column) === "server";

/** Selects a column of a table, decrypted where it is sealed. */
export function readable(columns: Record<string, AnyPgColumn>, key: string): AnyPgColumn | SQL {
  const column = columns[key]!;
  const under = sealedUnder(column);
  return under === "server" ? opened(column) : under === "row" ? opened(column, columns.dataKey) : column;
}

/** A row with its sealed columns decrypted. */
export type OpenedRow<T extends PgTable> = {
  [K in keyof T["$inferSelect"]]: T["$inferSelect"][K] extends Sealed<infer C> | null
    ? C | Extract<T["$inferSelect"][K], null>
    : T["$inferSelect"][K];
};
type Columns<T extends PgTable> = T["_"]["columns"];
type OpenedColumns<T extends PgTable> = {
  [K in keyof Columns<T>]: Columns<T>[K]["_"]["data"] extends Sealed ? ReturnType<typeof opened<Columns<T>[K]>> : Columns<T>[K];
};
/** Selects columns of a table, decrypted where they are sealed: `select(openedColumns(familyMembers))`. @param keys default: all */
export function openedColumns<T extends PgTable, K extends keyof Columns<T> & string>(table: T, keys?: readonly K[]) {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const selected = (keys ?? Object.keys(columns)).map((key) => [key, readable(columns, key)]);
  return Object.fromEntries(selected) as Pick<OpenedColumns<T>, K>;
}

/** Returns values for `insert` or `update`, encrypted where their columns are sealed under ENCRYPTION_KEY. */
export function sealedValues<T extends PgTable, K extends keyof OpenedRow<T> & string>(
  table: T,
  row: RowKey,
  values: Pick<OpenedRow<T>, K>,
) {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const stored = Object.entries(values).map(([key, value]) => [
    key,
    isSealed(columns[key]!) ? sealed(columns[key]!, row, value as never) : value,
  ]);
  return Object.fromEntries(stored) as Pick<T["$inferSelect"], K>;
}
