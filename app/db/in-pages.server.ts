import { gt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Rows read at a time: the whole of a table is never in memory. */
export const ROWS_AT_ONCE = 200;
type Key = string | number;

/**
 * Row by row, read in pages of `ROWS_AT_ONCE`, each of which begins behind the last row of the one before (`beyond`).
 * `read` gives them in the order of `id`.
 */
export async function* inPages<Row extends { id: Key }>(read: (after: Key | null) => PromiseLike<Row[]>): AsyncGenerator<Row> {
  for (let after: Key | null = null; ; ) {
    const rows: Row[] = await read(after);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}
/** The condition of the next page; nothing for the first. */
export const beyond = (id: PgColumn, after: Key | null): SQL | undefined => (after === null ? undefined : gt(id, after));
