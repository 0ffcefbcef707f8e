/** `npm run backup -- <file or folder> [--without-files]`: backs up this environment to one archive (docs/operations.md). */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { storage } from "#app/integrations/live.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { takeBackup } from "./backup/take-backup.ts";
import { argumentsOf, withDatabase } from "./with-database.ts";

const given = argumentsOf("npm run backup -- <file or folder> [--without-files]", ["--without-files"]);
if (given) await withDatabase(() => backup(given.words[0]!, given.flags));

async function backup(target: string, flags: ReadonlySet<string>) {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const path = resolve(isFolder ? join(target, `nadi-${stamp}Z.tar`) : target);
  const { tables, files, jobs } = await takeBackup(env().database, flags.has("--without-files") ? null : storage(), path);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${path}: ${rows} rows of ${tables.length} tables, ${jobs} waiting messages, ${files?.count ?? "no"} files.`);
  if (files?.missing) console.log(`${files.missing} files have a row and were not in the store.`);
  console.log(
    "It is encrypted with ENCRYPTION_KEY. Store that key and SESSION_SECRET somewhere else: without the key it cannot be restored.",
  );
}
