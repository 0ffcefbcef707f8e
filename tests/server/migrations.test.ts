/** docs/operations.md, "Migrations without downtime". */
import { afterAll, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { createDatabase, dropDatabase, inDatabase } from "../../scripts/databases.ts";
import { knownMigrations, migrateDatabase, UnknownDatabaseError } from "../../scripts/migrate.ts";
import { PREFIX, serverAddress } from "../setup/database.ts";

const named = (name: string) => inDatabase(serverAddress(), `${PREFIX}${process.pid}_migrations_${name}`);
const address = named("locked");
const before = named("before");
afterAll(() => Promise.all([dropDatabase(address), dropDatabase(before)]));

it("a migration that waits for a locked table does not block others, and tries again", async () => {
  await createDatabase(address);
  await migrateDatabase(address, { count: 1 });
  const { sql, end } = connect(address, { max: 3 });
  try {
    let letGo: () => void = () => undefined;
    let blocked: Promise<unknown> = Promise.resolve();
    await new Promise<void>((locked) => {
      blocked = sql.begin(async (tx) => {
        await tx`set local idle_in_transaction_session_timeout = 0`;
        await tx`lock table availability_slots in access share mode`; // a long report
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
    expect((await sql`select hash from drizzle.__drizzle_migrations`).length).toBe(1);
    expect(await sql`select from availability_slots`).toHaveLength(0);
    letGo();
    await blocked;
    await migrating;
    expect((await sql`select hash from drizzle.__drizzle_migrations`).length).toBe(knownMigrations().length);
  } finally {
    await end();
  }
});

it("a database of a version before the first release is refused in one sentence, and left as it is", async () => {
  await createDatabase(before);
  const { sql, end } = connect(before, { max: 1 });
  try {
    await sql`create schema drizzle`;
    await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of 0000_core', 1), ('of 0001_guards', 2)`;
    await sql`create table users (id int)`;
    const content = () =>
      sql`select table_schema, table_name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`;
    const tables = await content();
    await expect(migrateDatabase(before)).rejects.toThrow(UnknownDatabaseError);
    expect(await content()).toEqual(tables);
    expect(await sql`select hash from drizzle.__drizzle_migrations`).toHaveLength(2);
  } finally {
    await end();
  }
});
