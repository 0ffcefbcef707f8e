import { gt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Rows of one page: a whole table is never in memory. */
export const ROWS_AT_ONCE = 200;
type Key = string | number;

/**
 * Yields rows, read in pages of `ROWS_AT_ONCE` by keyset pagination (`beyond`). `read` returns them ordered by `id`.
 */
export async function* inPages<Row extends { id: Key }>(read: (after: Key | null) => PromiseLike<Row[]>): AsyncGenerator<Row> {
  for (let after: Key | null = null; ; ) {
    const rows: Row[] = await read(after);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}
/** Returns the condition of the next page, undefined for the first. */
export const beyond = (id: PgColumn, after: Key | null): SQL | undefined => (after === null ? undefined : gt(id, after));
