/**
 * Reads and writes sealed columns (schema/columns.ts, docs/decisions/045). Table, column and row are associated data of each
 * value: one that was copied to another row does not open.
 */
import { is, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { type AnyPgColumn, getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { env } from "#app/env.server.ts";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { ARE_YOU_SEALED, SEALED_FORM, type Sealed } from "./schema/columns.ts";
import * as schema from "./schema/index.ts";

type Keys = readonly [string, ...string[]];
type ContentOf<C extends AnyPgColumn> = C["_"]["data"] extends Sealed<infer T> ? T : never;
/** The primary key of a row; of several columns in their order in the schema. */
type RowKey = string | readonly string[];

const isJson = (column: AnyPgColumn) => column.getSQLType() === "jsonb";

const primaryKeys = new Map<PgTable, readonly AnyPgColumn[]>();
/** The columns of a table's primary key. */
export function primaryKeyOf(table: PgTable): readonly AnyPgColumn[] {
  let found = primaryKeys.get(table);
  if (!found) {
    const { columns, primaryKeys: composite } = getTableConfig(table);
    // The columns of a composite key are copies that only an index knows: the table has its own of the same name.
    const named = composite[0]?.columns.map(({ name }) => name);
    found = named ? named.flatMap((name) => columns.filter((column) => column.name === name)) : columns.filter((column) => column.primary);
    primaryKeys.set(table, found);
  }
  return found;
}

const names = new Map<AnyPgColumn, string>();
/** "table|column|row" as the database names them. */
function placeOf(column: AnyPgColumn, row: RowKey): string {
  let name = names.get(column);
  if (!name) {
    name = `${getTableConfig(column.table as PgTable).name}|${toSnakeCase(column.name)}`;
    names.set(column, name);
  }
  return `${name}|${typeof row === "string" ? row : row.join("|")}`;
}

/**
 * The value for a sealed column of one row; null stays null.
 * @param keys other than this server's: a row's own data key, or the keys of a database that is filled from outside
 */
export function sealed<C extends AnyPgColumn, V extends ContentOf<C> | null>(
  column: C,
  row: RowKey,
  value: V,
  keys: Keys = env().encryptionKeys,
): Sealed<ContentOf<C>> | Extract<V, null> {
  if (value === null) return null as Extract<V, null>;
  const text = isJson(column) ? JSON.stringify(value) : String(value);
  return encrypt(text, keys, placeOf(column, row)) as unknown as Sealed<ContentOf<C>>;
}

/**
 * The content of a sealed value that was read from `row`. Text from before the column was sealed comes back as it is.
 * @throws when no key opens it, or it was changed or moved
 */
export function open<C extends AnyPgColumn>(column: C, row: RowKey, value: Sealed<ContentOf<C>>, keys: Keys = env().encryptionKeys) {
  const stored = value as unknown as string;
  const text = SEALED_FORM.test(stored) ? decrypt(stored, keys, placeOf(column, row)) : stored;
  return (isJson(column) ? JSON.parse(text) : text) as ContentOf<C>;
}

/**
 * Selects the content of a sealed column: `select({ reason: opened(appointments.reason) })`. Fails as `open` does.
 * @param dataKey the sealed column that holds the row's own key, where the content is sealed under that
 */
export function opened<C extends AnyPgColumn>(
  column: C,
  dataKey?: AnyPgColumn,
): SQL<C["_"]["notNull"] extends true ? ContentOf<C> : ContentOf<C> | null> {
  const row = sql.join(
    primaryKeyOf(column.table as PgTable).map((key) => sql`${key}::text`),
    sql` || '|' || `,
  );
  const value = isJson(column) ? sql`${column} #>> '{}'` : sql`${column}`;
  // Neither a row's key nor a sealed key has a space in it. A null makes the whole null, and is not decoded.
  const selected = dataKey ? sql`${row} || ' ' || ${dataKey} || ' ' || ${value}` : sql`${row} || ' ' || (${value})`;
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
/** Every table with columns sealed under ENCRYPTION_KEY. Columns under a data key of their row are not among them. */
export function sealedTables(): SealedTable[] {
  return Object.values(schema)
    .filter((part) => is(part, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table);
      const found = columns.filter((column) => column.columnType === "PgCustomColumn" && isSealed(column));
      return found.length ? [{ table, name, columns: found }] : [];
    });
}
const isSealed = (column: AnyPgColumn) => column.mapToDriverValue(ARE_YOU_SEALED) === "server";
