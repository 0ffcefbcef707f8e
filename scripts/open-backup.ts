/** `node scripts/open-backup.ts <backup> <tar>`: decrypts a backup to a tar (docs/operations.md). */
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { BackupError, tarOf } from "./backup/archive.ts";
import { argumentsOf } from "./with-database.ts";

const given = argumentsOf("node scripts/open-backup.ts <backup> <tar>");
if (given) {
  const [backup, tar] = given.words as [string, string];
  try {
    await pipeline(tarOf(resolve(backup)), createWriteStream(resolve(tar), { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
