/** Migrates databases: used by prepare.ts, restore-backup.ts and tests. */
import { readMigrationFiles } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { connect } from "#app/db/client.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { installQueues } from "#app/queue/queue.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { grantRights } from "./database-roles.ts";

/** An arbitrary advisory lock number. */
const MIGRATION_LOCK = 7241;

/** How long a migration waits for a table, because requests wait behind it. */
const TABLE_LOCK = seconds(3);
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === "55P03";

const MIGRATIONS = new URL("../drizzle", import.meta.url).pathname;

/** Returns the hashes of this version's migrations in order. drizzle stores the same in the database. */
export const knownMigrations = (): string[] => readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash);

/** The database has the tables of a version that this one cannot migrate. */
export class UnknownDatabaseError extends Error {
  override readonly name = "UnknownDatabaseError";
}
const BEFORE_FIRST_VERSION =
  "This database was made by a version of Nadi before 1.0.0-rc.1, which this version cannot migrate. Nothing in it was changed. " +
  "For new demo data run `npm run db:reset`; to keep its data, start it with the version that made it.";

/**
 * Applies missing migrations, up to the first `count`, and records them as drizzle does. Runs in the transaction of `tx`, which
 * drizzle's migrator does not support: a restore creates and fills tables in one transaction.
 * @throws UnknownDatabaseError before anything is changed
 */
export async function applyMigrations(tx: postgres.TransactionSql, count?: number): Promise<void> {
  await tx`create schema if not exists drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const applied = await tx<{ hash: string; at: number }[]>`
    select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by id`;
  const known = knownMigrations();
  // More of them than known: a newer version has migrated it, which older processes must stand.
  if (applied.some(({ hash }, i) => i < known.length && hash !== known[i])) throw new UnknownDatabaseError(BEFORE_FIRST_VERSION);
  const last = Math.max(0, ...applied.map(({ at }) => at));
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, count)) {
    if (folderMillis <= last) continue;
    for (const statement of sql) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
}

/**
 * Applies missing migrations. Safe with several processes at once.
 * @param owner the role that owns the tables
 * @param options.count stops after the first `count` migrations: a backup is restored into the tables of its version
 * @param options.application the role that gets the application's rights, if it is not the owner
 */
export async function migrateDatabase(
  owner: DatabaseAddress,
  { count, application }: { count?: number; application?: string | null } = {},
): Promise<void> {
  const { sql, end } = connect(owner, { max: 1 });
  try {
    await sql`set statement_timeout = 0`;
    await sql`set lock_timeout = 0`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    // Requests wait behind a migration that waits for a table: time out, roll back and retry.
    await sql.unsafe(`set lock_timeout = ${TABLE_LOCK}`);
    for (let left = 9, done = false; !done; left--)
      try {
        await sql.begin(async (tx) => {
          await applyMigrations(tx, count);
          await grantRights(tx, application);
        });
        done = true;
      } catch (error) {
        if (left === 0 || !isLockTimeout(error)) throw error;
        await new Promise((ok) => setTimeout(ok, seconds(2)));
      }
    await installQueues(owner);
    // Again, for the new tables of the queues.
    await sql.begin((tx) => grantRights(tx, application));
  } finally {
    await end();
  }
}
