import { ne, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./client.server.ts";

/** Returns the different values of a text column in order, at most 500. Spellings that differ only in case count once. */
export async function listTexts(db: Db, table: PgTable, column: PgColumn): Promise<string[]> {
  const rows = await db
    .select({ text: sql<string>`min(${column})` })
    .from(table)
    .where(ne(column, ""))
    .groupBy(sql`lower(${column})`)
    .orderBy(sql`lower(${column})`)
    .limit(500);
  return rows.map(({ text }) => text);
}
