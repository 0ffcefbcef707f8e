/** Restores a backup: the tables of its version, rows, queued emails and files, then newer migrations. */
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type postgres from "postgres";
import { connect } from "#app/db/client.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import type { FileStore } from "#app/integrations/storage/storage.server.ts";
import { hours } from "#app/lib/durations.ts";
import { installQueues, newBoss } from "#app/queue/queue.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { grantRights } from "../database-roles.ts";
import { createDatabase } from "../databases.ts";
import { applyMigrations, knownMigrations, migrateDatabase } from "../migrate.ts";
import { BackupError, readArchive } from "./archive.ts";
import { countTable, listed, migrationsOf, quoted, settle, type TableNote, tablesOf } from "./tables.ts";
import type { Manifest, WaitingJob } from "./take-backup.ts";

export type Restored = Manifest & {
  /** Number of `files` rows whose bytes were not in the backup. */
  without: number;
  /** Number of emails and SMS put back into the queue. */
  queued: number;
};

const expand = promisify(gunzip);
/** Older jobs are not sent: the queue would have deleted them. */
const OLD_NEWS = hours(48);

/** Verifies the whole archive before anything is changed. @throws BackupError */
async function checkBackup(path: string): Promise<Manifest> {
  let text = "null";
  for await (const { name, bytes } of readArchive(path)) if (name === "manifest.json") text = bytes.toString();
  const manifest = JSON.parse(text) as Manifest | null;
  if (manifest?.format !== 1) throw new BackupError(`${path} is not a backup of Nadi.`);
  const known = knownMigrations();
  if (manifest.migrations.length > known.length)
    throw new BackupError(`${path} was made by a newer version of Nadi. Restore it with that version.`);
  if (manifest.migrations.some((hash, i) => hash !== known[i]))
    throw new BackupError(
      `${path} was made with other tables than this version of Nadi ever had. Restore it with the version that made it.`,
    );
  return manifest;
}

/**
 * Restores a backup. The rows are committed in one transaction.
 * @param address with the role that owns the tables
 * @param options.application the role that gets the application's rights
 * @param options.force replaces the content of a database with users
 * @throws BackupError
 */
export async function restoreBackup(
  address: DatabaseAddress,
  store: FileStore,
  path: string,
  options: { force?: boolean; now?: Date; application?: string | null } = {},
): Promise<Restored> {
  const manifest = await checkBackup(path);
  await createDatabase(address);
  await refuseUsed(address, options.force ?? false);
  await installQueues(address);
  const loaded = await load(address, store, path, manifest, options.now ?? new Date());
  await migrateDatabase(address, { application: options.application ?? null });
  const { db, sql, end } = connect(address, { max: 1 });
  try {
    await sql`set statement_timeout = 0`;
    await sql`analyze`;
    await refreshSearchWords(db);
  } finally {
    await end();
  }
  return { ...manifest, ...loaded };
}

/** A prepared database without users counts as empty. @throws BackupError */
async function refuseUsed(address: DatabaseAddress, force: boolean): Promise<void> {
  const { sql, end } = connect(address, { max: 1 });
  try {
    const hasTables = (await sql.begin((tx) => tablesOf(tx))).length > 0;
    if (!hasTables && (await migrationsOf(sql)).length === 0) return;
    const [people] = await sql`select to_regclass('public.users') is not null as is`;
    const used = people?.is ? (await sql`select from users limit 1`).length > 0 : true;
    if (used && !force)
      throw new BackupError("The database is not empty. Restore into a new one, or add --force to delete everything that is in it.");
    const [others] = await sql`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'`; // other roles do not see it
    if (others?.n > 0) throw new BackupError(`${others?.n} connections to the database are open. Stop every server first.`);
  } finally {
    await end();
  }
}

/** Drops all tables and queued jobs. Leaves schemas and extensions, which may belong to an administrator. */
async function clear(tx: postgres.TransactionSql): Promise<void> {
  await tx`delete from pgboss.job`;
  // Listed before the first is dropped: a table takes the functions with it that have its rows as a parameter.
  await tx.unsafe(`do $$ declare statement text; begin
      drop table if exists drizzle.__drizzle_migrations;
      foreach statement in array coalesce((select array_agg(sql) from (
        select format('drop routine if exists %s cascade', p.oid::regprocedure) as sql from pg_proc p
        where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        union all
        select format('drop %s if exists public.%I cascade', case c.relkind when 'm' then 'materialized view' when 'v' then 'view' else 'table' end, c.relname)
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select format('drop type if exists public.%I cascade', t.typname) from pg_type t
        where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd') and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
      ) as things), '{}')
      loop execute statement; end loop;
    end $$`);
}

/** Loads everything in one transaction. Verifies the row counts at its end. */
async function load(address: DatabaseAddress, store: FileStore, path: string, manifest: Manifest, now: Date) {
  const { sql, end } = connect(address, { max: 1 });
  const boss = newBoss(address, { work: false });
  await boss.start();
  try {
    return await sql.begin(async (tx) => {
      await settle(tx);
      await clear(tx);
      await applyMigrations(tx, manifest.migrations.length);
      await grantRights(tx);
      const putBack = await dropChecks(tx, manifest.tables);
      const mediaType = async (key: string) =>
        (await tx<{ type: string }[]>`select media_type as type from files where storage_key = ${key}`)[0]?.type;
      const tables = new Map(manifest.tables.map((table) => [table.name, table]));
      let open: { name: string; stream: Writable } | undefined;
      const close = async () => {
        if (open) await finish(open.stream);
        open = undefined;
      };
      const db = { executeSql: async (text: string, values: unknown[] = []) => ({ rows: await tx.unsafe(text, values as never[]) }) };
      let [files, queued] = [0, 0];
      for await (const { name, bytes } of readArchive(path)) {
        const [kind, table = ""] = name.split("/");
        if (open && (kind !== "tables" || open.name !== table)) await close();
        if (kind === "tables") {
          const note = tables.get(table);
          if (!note) throw new BackupError(`${path}: ${name} is of no table that it names.`);
          open ??= {
            name: table,
            stream: await tx.unsafe(`copy ${quoted(table)} (${listed(note.columns)}) from stdin`).writable(),
          };
          await write(open.stream, await expand(bytes));
        } else if (kind === "jobs" && now.getTime() - Date.parse(manifest.takenAt) < OLD_NEWS) {
          const jobs = JSON.parse(String(await expand(bytes))) as WaitingJob[];
          for (const { id, name: queue, data, startAfter } of jobs)
            await boss.send(queue, data, { id, startAfter: new Date(startAfter), db });
          queued += jobs.length;
        } else if (kind === "files") {
          const key = name.slice("files/".length);
          const type = await mediaType(key);
          if (!type) continue; // its row was inserted after the snapshot
          await store.put(key, bytes, type);
          files += 1;
        }
      }
      await close();
      for (const table of manifest.tables) {
        const { rows, sum } = await countTable(tx, table.name);
        if (rows !== table.rows || sum !== table.sum)
          throw new BackupError(`${table.name} did not come back as it was (${rows} rows of ${table.rows}); nothing was changed.`);
      }
      await putBack();
      for (const { name, value, used } of manifest.sequences) await tx`select setval(${quoted(name)}::regclass, ${value}::bigint, ${used})`;
      const [named] = await tx<{ n: number }[]>`select count(*)::int as n from files`;
      return { without: named!.n - files, queued };
    });
  } finally {
    await boss.stop({ graceful: false });
    await end();
  }
}

/**
 * Disables our triggers, which would write rows again, and drops foreign keys, which are circular, until all rows are loaded.
 * Adding the keys again checks every row. The owner of the tables may do this; no superuser is needed.
 */
async function dropChecks(tx: postgres.TransactionSql, tables: readonly TableNote[]): Promise<() => Promise<void>> {
  const names = (await tablesOf(tx)).map(({ name }) => name);
  if (names.join() !== tables.map(({ name }) => name).join())
    throw new BackupError("The backup has other tables than its migrations make; nothing was changed.");
  const keys = await tx<{ table: string; name: string; text: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by oid`;
  for (const { table, name } of keys) await tx.unsafe(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const name of names) await tx.unsafe(`alter table ${quoted(name)} disable trigger user`);
  // Rows inserted by migrations are in the backup too.
  await tx.unsafe(`truncate ${listed(names)}`);
  return async () => {
    for (const name of names) await tx.unsafe(`alter table ${quoted(name)} enable trigger user`);
    for (const { table, name, text } of keys) await tx.unsafe(`alter table ${table} add constraint ${quoted(name)} ${text}`);
  };
}

const write = (stream: Writable, bytes: Buffer) =>
  new Promise<void>((ok, no) => {
    stream.once("error", no);
    stream.write(bytes, (error) => {
      stream.off("error", no);
      if (error) no(error);
      else ok();
    });
  });
const finish = (stream: Writable) =>
  new Promise<void>((ok, no) => {
    stream.once("error", no);
    stream.end(() => ok());
  });
