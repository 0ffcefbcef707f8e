/** `npm run restore -- <file> [--force]`: restores a backup into the empty database of this environment (docs/operations.md). */
import { resolve } from "node:path";
import { storage } from "#app/integrations/live.server.ts";
import { setNotedSealsAside } from "#app/jobs/seal-file.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { createApplicationRole } from "./database-roles.ts";
import { createDatabase } from "./databases.ts";
import { argumentsOf, withDatabase } from "./with-database.ts";

const given = argumentsOf("npm run restore -- <file> [--force]", ["--force"]);
if (given) await withDatabase(() => restore(given.words[0]!, given.flags));

async function restore(path: string, flags: ReadonlySet<string>) {
  const { database, databaseOwner } = env();
  await createDatabase(databaseOwner);
  const application = await createApplicationRole(databaseOwner, database);
  const restored = await restoreBackup(databaseOwner, storage(), resolve(path), { force: flags.has("--force"), application });
  const aside = await setNotedSealsAside(new Date());
  const rows = restored.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Restored as of ${restored.takenAt}: ${rows} rows of ${restored.tables.length} tables, ${restored.files?.count ?? "no"} files.`,
  );
  console.log(`${restored.queued} of ${restored.jobs} waiting messages are in the queue again.`);
  if (aside) console.log(`${aside}: the seals of the audit log that were noted before the restore.`);
  if (restored.without) console.log(`${restored.without} files have a row and were not in the backup.`);
}
