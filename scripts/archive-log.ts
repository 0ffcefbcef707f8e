/** `npm run archive-log -- <file.jsonl.gz> <first day that stays>`: moves old audit log entries to a file (docs/operations.md). */
import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { connect } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { findOldLog, isOldEnough, type OldLog, readOldLog, removeOldLog } from "#app/domains/platform/audit/archive-log.server.ts";
import { isDateKey } from "#app/lib/dates.ts";
import { env } from "#app/runtime/env.server.ts";
import { argumentsOf, CommandError, systemCtx, withDatabase } from "./with-database.ts";

const given = argumentsOf("npm run archive-log -- <file.jsonl.gz> <first day that stays, like 2024-01-01>");
if (given)
  await withDatabase(async () => {
    const { db, sql, end } = connect(env().databaseOwner, { max: 1 });
    try {
      await sql`set statement_timeout = 0`;
      await archive(systemCtx(db, "archive-log"), resolve(given.words[0]!), given.words[1]!);
    } finally {
      await end();
    }
  });

async function archive(ctx: Ctx, path: string, day: string) {
  if (!isDateKey(day)) throw new CommandError(`${day} is not a day like 2024-01-01.`);
  if (!isOldEnough(ctx, day)) throw new CommandError("The log of the last year stays where it is.");
  const old = await findOldLog(ctx, day);
  if (old.rows === 0) return console.log(`Nothing in the log is older than ${day}.`);
  await write(ctx, old, path);
  // Deletes rows only after all are on disk. If interrupted here, the next run archives the rest to another file.
  const gone = await removeOldLog(ctx, old, basename(path));
  console.log(`${path}: ${gone} entries before ${day}. They are no longer in the database; store the file as safely as a backup.`);
}

/** Writes the file under a temporary name, and renames it when complete. Never overwrites a file. */
async function write(ctx: Ctx, old: OldLog, path: string) {
  if (existsSync(path)) throw new CommandError(`${path} exists already.`);
  const draft = `${path}.part`;
  try {
    await pipeline(readOldLog(ctx, old), createGzip(), createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
