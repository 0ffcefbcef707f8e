/** The two roles of a database (docs/decisions/046): the rights of the application's role, and how a deployment gets it. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "#app/db/client.server.ts";
import { RESTRICTED, USUAL } from "#app/db/privileges.ts";
import { env } from "#app/runtime/env.server.ts";
import { scramVerifier } from "../../scripts/database-roles.ts";
import { createDatabase, dropDatabase, inDatabase, withAdmin } from "../../scripts/databases.ts";
import { migrateDatabase } from "../../scripts/migrate.ts";
import { PREFIX, serverAddress, urlOf } from "../setup/database.ts";
import { testDb } from "../setup/test-db.ts";

const { sql: owner } = testDb();
let application: Connection;
beforeAll(() => {
  application = connect(env().database, { max: 1 });
});
afterAll(() => application.end());

/** The rights of a role on each table of the product. */
const rightsOf = async (sql: typeof owner) =>
  Object.fromEntries(
    (
      await sql<{ name: string; rights: string[] }[]>`
        select c.relname as name, array(
          select p from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) with ordinality as p (p, n)
          where has_table_privilege(c.oid, p) order by n) as rights
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`
    ).map(({ name, rights }) => [name, rights]),
  );

describe("the application's role", () => {
  it("reads and writes every table, and the restricted ones only as listed", async () => {
    const rights = await rightsOf(application.sql);
    expect(Object.keys(rights).length).toBeGreaterThan(30);
    for (const [table, allowed] of Object.entries(rights))
      expect({ table, allowed }).toEqual({ table, allowed: (RESTRICTED as Record<string, readonly string[]>)[table] ?? USUAL });
    for (const table of Object.keys(RESTRICTED)) expect(Object.keys(rights)).toContain(table);
  });
  it("finds every append-only table in the list", async () => {
    const guarded = await owner<{ name: string }[]>`
      select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgname like '%append\_only' and c.relnamespace = 'public'::regnamespace`;
    expect(guarded.length).toBeGreaterThan(1);
    for (const { name } of guarded) {
      const allowed = (RESTRICTED as Record<string, readonly string[]>)[name] ?? USUAL;
      expect({ name, changes: allowed.filter((right) => right === "UPDATE" || right === "DELETE") }).toEqual({ name, changes: [] });
    }
  });
  it.each([
    "update audit_log set action = 'x'",
    "delete from audit_log",
    "truncate audit_log",
    "update domain_events set kind = 'x'",
    "delete from domain_events",
    "alter table audit_log disable trigger all",
    "update wallet_entries set points = 9000",
    "delete from wallet_entries",
    "update wallets set balance = 9000",
    "insert into wallets (patient_id, balance) values (gen_random_uuid(), 1)",
    "truncate users cascade",
    "create table loot (id int)",
    "create temporary table loot (id int)",
    "create function loot() returns int language sql as 'select 1'",
    "create schema loot",
    "drop table notifications",
    "alter table users add column loot text",
    "create index loot on users (phone)",
    "drop trigger wallet_entries_append_only on wallet_entries",
    "create or replace function wallet_entries_are_append_only() returns trigger language plpgsql as 'begin return null; end'",
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 1)",
    "set session_replication_role = replica",
    "set role postgres",
  ])("cannot: %s", async (statement) => {
    await expect(application.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
  it("gets the usual rights on a table of a later migration", async () => {
    await owner`create table later_table (id bigserial primary key, words text)`;
    try {
      expect((await rightsOf(application.sql)).later_table).toEqual(USUAL);
      await application.sql`insert into later_table (words) values ('x')`;
      await application.sql`delete from later_table`;
    } finally {
      await owner`drop table later_table`;
    }
  });
  it("refreshes the words of the search", async () => {
    await expect(application.sql`select refresh_search_words()`).resolves.toHaveLength(1);
  });
});

describe("npm run roles", () => {
  const [old, fresh] = [`${PREFIX}old_owner`, `${PREFIX}new_role`];
  const server = serverAddress();
  const as = (role: string, password = "") => {
    const there = inDatabase(server, `${PREFIX}${process.pid}_roles`);
    if (!("url" in there)) return { ...there, username: role };
    const url = new URL(there.url);
    [url.username, url.password] = [role, password];
    return { url: url.href };
  };
  const ownerAddress = as(old, "p");
  const run = async (DATABASE_URL: string, DATABASE_OWNER_URL?: string) => {
    const child = spawn(process.execPath, ["scripts/roles.ts"], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: env().dataDir, DEMO: "1", DATABASE_URL, DATABASE_OWNER_URL },
    });
    const ended = new Promise<number | null>((ok) => child.on("close", ok));
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, stdout, stderr };
  };
  beforeAll(async () => {
    await withAdmin(server, async (admin) => {
      for (const role of [old, fresh]) await admin.unsafe(`drop role if exists "${role}"`);
      await admin.unsafe(`create role "${old}" login createrole createdb password 'p'`);
    });
    await createDatabase(ownerAddress);
    await migrateDatabase(ownerAddress);
  });
  afterAll(async () => {
    await dropDatabase(inDatabase(server, `${PREFIX}${process.pid}_roles`));
    await withAdmin(server, async (admin) => {
      for (const role of [fresh, old]) await admin.unsafe(`drop role if exists "${role}"`);
    });
  });

  it("gives a database that one role owned the second role, with the password of DATABASE_URL", async () => {
    const password = "it's a secret";
    const url = urlOf(as(fresh, encodeURIComponent(password)));
    expect(await run(urlOf(ownerAddress))).toMatchObject({ status: 1, stderr: expect.stringContaining("name the same role") });
    for (let i = 0; i < 2; i++) expect(await run(url, urlOf(ownerAddress))).toMatchObject({ status: 0, stderr: "" });
    const { sql, end } = connect(as(fresh, encodeURIComponent(password)), { max: 1 });
    try {
      expect(await rightsOf(sql)).toEqual(await rightsOf(application.sql));
      await expect(sql`delete from audit_log`).rejects.toMatchObject({ code: "42501" });
    } finally {
      await end();
    }
  });
  it("refuses a superuser as the role of the application", async () => {
    await withAdmin(server, (admin) => admin.unsafe(`alter role "${fresh}" superuser`));
    try {
      expect(await run(urlOf(as(fresh)), urlOf(ownerAddress))).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("has the rights of the owner"),
      });
    } finally {
      await withAdmin(server, (admin) => admin.unsafe(`alter role "${fresh}" nosuperuser`));
    }
  });
  it("stores a password as PostgreSQL itself does, and sends it in no statement", async () => {
    await withAdmin(server, async (admin) => {
      await admin.unsafe(`alter role "${fresh}" password 'pencil'`);
      const [row] = await admin<{ stored: string }[]>`select rolpassword as stored from pg_authid where rolname = ${fresh}`;
      const salt = Buffer.from(/:([^$]+)\$/.exec(row!.stored)![1]!, "base64");
      expect(scramVerifier("pencil", salt)).toBe(row!.stored);
    });
  });
});
