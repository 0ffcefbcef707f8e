/** Migrating databases: used by prepare.ts, by restoring a backup and by the tests. */
import { readMigrationFiles } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { connect } from "#app/db/client.server.ts";
import type { DatabaseAddress } from "#app/env.server.ts";
import { installQueues } from "#app/jobs/queue.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { grantRights } from "./database-roles.ts";

/** Any number will do, as long as every process takes the same. */
const MIGRATION_LOCK = 7241;

/** How long a migration stands in the way of requests, which wait behind it for a table. */
const TABLE_LOCK = seconds(3);
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === "55P03";

const MIGRATIONS = new URL("../drizzle", import.meta.url).pathname;

/** The hashes of every migration of this version, in their order; drizzle notes the same in the database. */
export const knownMigrations = (): string[] => readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash);

/**
 * Applies what is missing of drizzle/, up to `count` migrations in all, and notes it where drizzle's own migrator does. In the
 * transaction of `tx`, which that one cannot: a restore makes and fills its tables in one.
 */
export async function applyMigrations(tx: postgres.TransactionSql, count?: number): Promise<void> {
  await tx`create schema if not exists drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const [{ last } = { last: 0 }] = await tx<{ last: number }[]>`
    select coalesce(max(created_at), 0)::float8 as last from drizzle.__drizzle_migrations`;
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, count)) {
    if (folderMillis <= last) continue;
    for (const statement of sql) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
}

/**
 * Applies what is missing of drizzle/. Several processes at once take turns.
 * @param owner the role that owns the tables
 * @param options.count stops after that many migrations in all; a backup is restored into the tables of its own day
 * @param options.application the role that gets the application's rights, where it is not the owner
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
    // Everybody who comes after a waiting change of a table waits behind it: so it gives way, whole, and comes back.
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
    // Once more: the tables of the queues are new.
    await sql.begin((tx) => grantRights(tx, application));
  } finally {
    await end();
  }
}
