import { and, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "#app/db/client.server.ts";
import { bookingDrafts } from "#app/db/schema/appointments.ts";
import { SEALED_FORM } from "#app/db/schema/columns.ts";
import { open, primaryKeyOf, type SealedTable, sealed } from "#app/db/sealed.server.ts";
import { isSealedByFirst } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** Rows of a batch: fast, with a short statement. */
const PAGE = 500;
/** Empty values, which are not encrypted. */
const EMPTY = new Set(["", "[]", "{}"]);

/** `after`: the primary key of the last row of this page, null at the end of the table. */
export type Sealing = { count: number; after: string[] | null };
/** `plain`: encrypts plain text. `older`: also values that an older key of the list encrypted. */
export type Wish = "plain" | "older";

/**
 * Encrypts the sealed columns of one page of a table with the first key. Skips a value that changes meanwhile: it is encrypted
 * with the first key too. Idempotent, and safe in concurrent processes.
 * @param after the end of the page before
 * @throws when no key of the list decrypts a value
 */
export async function sealPage(db: Db, of: SealedTable, wish: Wish, after: readonly string[] | null): Promise<Sealing> {
  if (of.table === bookingDrafts) await nameDraftFiles(db);
  const keys = env().encryptionKeys;
  const primary = primaryKeyOf(of.table);
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const ids = list(primary.map((column) => sql`${column}`));
  const beyond = after ? sql`where (${ids}) > (${list(primary.map((column, i) => typed(column, after[i])))})` : sql``;
  const rows = await db.execute<{ id: string[]; texts: (string | null)[] }>(sql`
    select array[${list(primary.map((column) => sql`${column}::text`))}] as id, jsonb_build_array(${list(of.columns.map(textOf))}) as texts
    from ${of.table} ${beyond} order by ${ids} limit ${PAGE}`);
  let count = 0;
  for (const { id, texts } of rows) {
    const changes = of.columns.flatMap((column, i) => {
      const before = texts[i] ?? "";
      if (EMPTY.has(before) || (SEALED_FORM.test(before) && (wish === "plain" || isSealedByFirst(before, keys)))) return [];
      return [{ column, before, now: sealed(column, id, open(column, id, before as never)) }];
    });
    if (!changes.length) continue;
    const set = Object.fromEntries(changes.map(({ column, now }) => [column.name, now]));
    const row = primary.map((column, i) => sql`${column} = ${typed(column, id[i])}`);
    const unchanged = changes.map(({ column, before }) => sql`${textOf(column)} = ${before}`);
    const done = await db
      .update(of.table)
      .set(set)
      .where(and(...row, ...unchanged));
    if (done.count) count += changes.length;
  }
  return { count, after: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null) };
}

/** Stores the file ids of unencrypted drafts in a column, because SQL cannot read them in encrypted records. */
const nameDraftFiles = (db: Db) =>
  db
    .update(bookingDrafts)
    .set({ fileIds: sql`array(select (r ->> 'fileId')::uuid from jsonb_array_elements(${bookingDrafts.records}) r)` })
    .where(
      sql`jsonb_typeof(${bookingDrafts.records}) = 'array' and ${bookingDrafts.records} <> '[]'::jsonb and ${bookingDrafts.fileIds} = '{}'`,
    );

const textOf = (column: AnyPgColumn) => (column.getSQLType() === "jsonb" ? sql`${column} #>> '{}'` : sql`${column}`);
/** Casts a primary key from text. */
const typed = (column: AnyPgColumn, value: string | undefined) => sql`${value ?? null}::${sql.raw(column.getSQLType())}`;
