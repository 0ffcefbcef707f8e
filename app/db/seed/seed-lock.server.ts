import { sql } from "drizzle-orm";
import type { Database, Tx } from "#app/db/client.server.ts";
import type { FileStore } from "#app/integrations/storage/storage.server.ts";

/**
 * `storage` and `keys` are for tests; by default the files of the demo go where the product keeps its files, and its numbers
 * are sealed with this server's keys.
 */
export type SeedCtx = { db: Database; now: Date; storage?: FileStore; keys?: readonly [string, ...string[]] };

const SEED_LOCK = 710_452_001;

/** One transaction that only one process runs at a time; a second one waits and then finds the work done. */
export function locked<T>(ctx: SeedCtx, work: (db: Tx) => Promise<T>): Promise<T> {
  return ctx.db.transaction(async (db) => {
    // The pool's own limits are meant for requests: filling tables, and waiting for another process that does, takes longer.
    await db.execute(sql`set local lock_timeout = '60s'`);
    await db.execute(sql`set local statement_timeout = '60s'`);
    await db.execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
    await db.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    return work(db);
  });
}
