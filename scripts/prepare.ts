/** Creates, migrates and seeds the database of this environment. `--reset` deletes it first. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { connect } from "#app/db/client.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { EnvironmentError, env } from "#app/runtime/env.server.ts";
import { seedDemo, seedReference, topUpDemo } from "#demo/index.server.ts";
import { createApplicationRole, RolesError } from "./database-roles.ts";
import { createDatabase, dropDatabase } from "./databases.ts";
import { migrateDatabase, UnknownDatabaseError } from "./migrate.ts";

/** Runs a step and prints its seconds, if it took one. */
async function timed(name: string, work: () => Promise<unknown>) {
  const started = performance.now();
  await work();
  const seconds = Math.round((performance.now() - started) / 1000);
  if (seconds) console.log(`${name}: ${seconds} s`);
}

async function prepare() {
  const { databaseOwner: database, database: application, oneDatabaseRole, demo, dataDir } = env();
  if (!demo && oneDatabaseRole)
    console.warn(
      "DATABASE_OWNER_URL is not set: the product runs with the rights of the tables' owner. See docs/operations.md, Two roles.",
    );
  const reset = process.argv.includes("--reset");
  if (reset) {
    await dropDatabase(database);
    for (const name of ["files", "audit-seals.jsonl"]) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  await timed("database", async () => {
    await createDatabase(database);
    await migrateDatabase(database, { application: await createApplicationRole(database, application) });
  });

  const { db, sql, end } = connect(database, { max: 2 });
  try {
    const ctx = { db, now: new Date() };
    const [{ cities, people } = { cities: false, people: false }] = await sql<{ cities: boolean; people: boolean }[]>`
      select exists(select from cities) as cities, exists(select from users) as people`;
    if (!cities) await timed("cities", () => seedReference(ctx));
    const wanted = demo || process.argv.includes("--seed");
    if (wanted && !people) await timed("demo data", () => seedDemo(ctx));
    if (wanted) await topUpDemo(ctx);
    await refreshSearchWords(db);
  } finally {
    await end();
  }
}

try {
  await prepare();
} catch (error) {
  const isForReaders = error instanceof EnvironmentError || error instanceof RolesError || error instanceof UnknownDatabaseError;
  console.error(isForReaders ? error.message : error);
  process.exitCode = 1;
}
