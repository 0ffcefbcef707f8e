/** Content of the database templates (database.ts). */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { connect, type Database } from "#app/db/client.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { filesystemStore } from "#app/integrations/storage/filesystem.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { seedDemo, seedReference } from "#demo/index.server.ts";
import { migrateDatabase } from "../../scripts/migrate.ts";

async function fill(address: DatabaseAddress, work: (db: Database) => Promise<unknown>): Promise<void> {
  const { db, sql, end } = connect(address, { max: 4, statement: 0 });
  try {
    await work(db);
    await sql`analyze`;
  } finally {
    await end();
  }
}

/** Creates the tables, the rights of the role `application`, and cities. */
export async function fillReference(address: DatabaseAddress, application: string | null): Promise<void> {
  await migrateDatabase(address, { application });
  await fill(address, (db) => seedReference({ db, now: new Date() }));
}

/** Inserts the demo data as of `now`. Writes its files to `folder`. */
export async function fillDemo(address: DatabaseAddress, folder: string, key: string, now = new Date()): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await fill(address, async (db) => {
    await seedDemo({ db, now, storage: filesystemStore(draft), keys: [key] });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    await refreshSearchWords(db);
  });
}
