/** docs/operations.md, "Migrations without downtime". */
import { afterAll, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { createDatabase, dropDatabase, inDatabase } from "../../scripts/databases.ts";
import { knownMigrations, migrateDatabase } from "../../scripts/migrate.ts";
import { PREFIX, serverAddress } from "../setup/database.ts";

const address = inDatabase(serverAddress(), `${PREFIX}${process.pid}_migrations`);
afterAll(() => dropDatabase(address));

it("a migration that waits for a locked table does not block others, and tries again", async () => {
  await createDatabase(address);
  await migrateDatabase(address, { count: 2 });
  const { sql, end } = connect(address, { max: 3 });
  try {
    let letGo: () => void = () => undefined;
    let blocked: Promise<unknown> = Promise.resolve();
    await new Promise<void>((locked) => {
      blocked = sql.begin(async (tx) => {
        await tx`set local idle_in_transaction_session_timeout = 0`;
        await tx`lock table users in access share mode`; // a long report
        await new Promise<void>((ok) => {
          letGo = ok;
          locked();
        });
      });
    });
    const migrating = migrateDatabase(address);
    const waiting = () => sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    // It waits for the report, gives up without a change, and waits again.
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(0);
    expect((await sql`select hash from drizzle.__drizzle_migrations`).length).toBe(2);
    expect(await sql`select from users`).toHaveLength(0);
    letGo();
    await blocked;
    await migrating;
    expect((await sql`select hash from drizzle.__drizzle_migrations`).length).toBe(knownMigrations().length);
  } finally {
    await end();
  }
});
