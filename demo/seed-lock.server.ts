import { sql } from "drizzle-orm";
import type { Database, Tx } from "#app/db/client.server.ts";
import type { FileStore } from "#app/integrations/storage/storage.server.ts";

/**
 * Tests set `storage` and `keys`. Default: the product's file store and encryption keys.
 */
export type SeedCtx = { db: Database; now: Date; storage?: FileStore; keys?: readonly [string, ...string[]] };

const SEED_LOCK = 710_452_001;

/** Runs a transaction under an advisory lock: one process at a time. */
export function locked<T>(ctx: SeedCtx, work: (db: Tx) => Promise<T>): Promise<T> {
  return ctx.db.transaction(async (db) => {
    // The timeouts of the pool are for requests: seeding, and waiting for the lock, takes longer.
    await db.execute(sql`set local lock_timeout = '60s'`);
    await db.execute(sql`set local statement_timeout = '60s'`);
    await db.execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
    await db.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`);
    return work(db);
  });
}
