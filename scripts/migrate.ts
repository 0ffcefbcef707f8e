/** Migrating databases: used by prepare.ts, by restoring a backup and by the tests. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { connect } from "#app/db/client.server.ts";
import type { DatabaseAddress } from "#app/env.server.ts";
import { installQueues } from "#app/jobs/queue.server.ts";
import { seconds } from "#app/lib/durations.ts";

/** Any number will do, as long as every process takes the same. */
const MIGRATION_LOCK = 7241;

/** How long a migration stands in the way of requests, which wait behind it for a table. */
const TABLE_LOCK = seconds(3);
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code === "55P03" || isLockTimeout(error.cause));

const MIGRATIONS = new URL("../drizzle", import.meta.url).pathname;

/** The hashes of every migration of this version, in their order; drizzle notes the same in the database. */
export const knownMigrations = (): string[] => readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash);

/** Runs `work` with a folder that holds only the first `count` migrations. */
async function withFirst<T>(count: number | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  if (count === undefined) return work(MIGRATIONS);
  const folder = mkdtempSync(join(tmpdir(), "nadi-migrations-"));
  try {
    const journal = JSON.parse(readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8")) as { entries: { tag: string }[] };
    const entries = journal.entries.slice(0, count);
    mkdirSync(join(folder, "meta"));
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) copyFileSync(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Applies what is missing of drizzle/. Several processes at once take turns.
 * @param count stops after that many migrations in all; a backup is restored into the tables of its own day
 */
export async function migrateDatabase(address: DatabaseAddress, count?: number): Promise<void> {
  const { db, sql, end } = connect(address, { max: 1 });
  try {
    await sql`set statement_timeout = 0`;
    await sql`set lock_timeout = 0`;
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    // Everybody who comes after a waiting change of a table waits behind it: so it gives way, whole, and comes back.
    await sql.unsafe(`set lock_timeout = ${TABLE_LOCK}`);
    await withFirst(count, async (migrationsFolder) => {
      for (let left = 9; ; left--) {
        try {
          return await migrate(db, { migrationsFolder });
        } catch (error) {
          if (left === 0 || !isLockTimeout(error)) throw error;
          await new Promise((ok) => setTimeout(ok, seconds(2)));
        }
      }
    });
    await installQueues(address);
  } finally {
    await end();
  }
}
