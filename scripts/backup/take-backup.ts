/** Writes a backup to one archive: every table, queued emails and SMS, uploaded files. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type postgres from "postgres";
import { connect } from "#app/db/client.server.ts";
import type { FileStore } from "#app/integrations/storage/storage.server.ts";
import { DELIVERIES } from "#app/queue/queue.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { type ArchiveWriter, BackupError, createArchive } from "./archive.ts";
import { countTable, listed, migrationsOf, type Notes, quoted, sequencesOf, settle, type TableNote, tablesOf } from "./tables.ts";

/** The entry `manifest.json`, the last before the archive's seal. */
export type Manifest = Notes & {
  format: 1;
  /** Time of the snapshot, ISO. */
  takenAt: string;
  /** Number of queued emails and SMS. */
  jobs: number;
  /** `missing`: rows of `files` whose bytes were not in the store. Null: without files. */
  files: { count: number; bytes: number; missing: number } | null;
};
/** A queued job without internal fields of pg-boss, so that later versions of pg-boss accept it. */
export type WaitingJob = { id: string; name: string; data: object; startAfter: string };

const compress = promisify(gzip);
/** Approximate size of the chunks of a table: limits memory. */
const PIECE = 4 * 1024 * 1024;
const FILES_AT_ONCE = 8;
const numbered = (n: number) => String(n).padStart(6, "0");

/**
 * Writes a backup.
 * @param to path of the archive
 * @param store null: without uploaded files (a bucket may have its own versions)
 * @throws BackupError
 */
export async function takeBackup(address: DatabaseAddress, store: FileStore | null, to: string): Promise<Manifest> {
  const { sql, end } = connect(address, { max: 1 });
  try {
    const archive = await createArchive(to, new Date());
    try {
      // One snapshot: users continue booking meanwhile.
      const notes = await sql.begin("isolation level repeatable read read only", async (tx) => {
        await settle(tx);
        const migrations = await migrationsOf(tx);
        if (migrations.length === 0) throw new BackupError("There is no database of Nadi at this address.");
        const [moment] = await tx<{ at: string }[]>`select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
        const tables: TableNote[] = [];
        for (const table of await tablesOf(tx)) {
          tables.push({ ...table, ...(await countTable(tx, table.name)) });
          await copyTable(tx, table, archive);
        }
        return { migrations, tables, sequences: await sequencesOf(tx), jobs: await copyJobs(tx, archive), takenAt: moment!.at };
      });
      // After the snapshot: a file is stored before its row is committed, so every file of the snapshot exists.
      const files = store && (await copyFiles(sql, store, archive));
      const manifest: Manifest = { format: 1, ...notes, files };
      await archive.add("manifest.json", Buffer.from(JSON.stringify(manifest, null, 2)));
      await archive.finish();
      return manifest;
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  } finally {
    await end();
  }
}

async function copyTable(tx: postgres.TransactionSql, { name, columns }: { name: string; columns: string[] }, archive: ArchiveWriter) {
  const stream = await tx.unsafe(`copy ${quoted(name)} (${listed(columns)}) to stdout`).readable();
  let piece: Buffer[] = [];
  let size = 0;
  let n = 0;
  const flush = async () => {
    if (size === 0) return;
    n += 1;
    await archive.add(`tables/${name}/${numbered(n)}.copy.gz`, await compress(Buffer.concat(piece)));
    piece = [];
    size = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    piece.push(chunk);
    size += chunk.length;
    if (size >= PIECE) await flush();
  }
  await flush();
}

/** Copies queued emails and SMS. Scheduled jobs start again anyway. */
async function copyJobs(tx: postgres.TransactionSql, archive: ArchiveWriter): Promise<number> {
  const [there] = await tx`select to_regclass('pgboss.job') is not null as is`;
  if (!there?.is) return 0;
  let count = 0;
  let n = 0;
  const waiting = tx<WaitingJob[]>`
    select id::text, name, data, start_after::text as "startAfter" from pgboss.job
    where name = any(${[...DELIVERIES]}) and state in ('created', 'retry', 'active') order by created_on`;
  for await (const rows of waiting.cursor(1000)) {
    n += 1;
    count += rows.length;
    await archive.add(`jobs/${numbered(n)}.json.gz`, await compress(JSON.stringify(rows)));
  }
  return count;
}

async function copyFiles(sql: postgres.Sql, store: FileStore, archive: ArchiveWriter): Promise<Manifest["files"]> {
  const copied = { count: 0, bytes: 0, missing: 0 };
  for (let last = ""; ; ) {
    const rows = await sql<{ key: string }[]>`
      select storage_key as key from files where storage_key > ${last} order by storage_key limit ${FILES_AT_ONCE}`;
    if (rows.length === 0) return copied;
    const found = await Promise.all(rows.map(({ key }) => store.get(key)));
    for (const [i, bytes] of found.entries()) {
      if (!bytes) {
        copied.missing += 1;
        continue;
      }
      await archive.add(`files/${rows[i]!.key}`, bytes);
      copied.count += 1;
      copied.bytes += bytes.length;
    }
    last = rows.at(-1)!.key;
  }
}
