import { inArray, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./client.server.ts";

/** Rows of one statement: it takes far less than the time limit of a statement, and holds few locks. */
const ROWS = 5_000;

/**
 * Deletes the rows of a condition, each batch in a transaction of its own: a run that ends early keeps what it did. An index must find
 * the rows, because each batch looks for them again. Safe to run twice at once.
 */
export async function deleteInBatches(db: Db, table: PgTable & { id: PgColumn }, old: SQL | undefined, rows = ROWS): Promise<number> {
  for (let total = 0; ; ) {
    const batch = db
      .select({ id: table.id })
      .from(table as PgTable)
      .where(old)
      .limit(rows);
    const { count } = await db.delete(table).where(inArray(table.id, batch));
    total += count;
    if (count < rows) return total;
  }
}
