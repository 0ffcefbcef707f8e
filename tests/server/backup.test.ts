/** Backup, drop and restore preserve every row and every file. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { filesystemStore } from "#app/integrations/storage/filesystem.server.ts";
import { s3Store } from "#app/integrations/storage/s3.server.ts";
import { keyIdOf } from "#app/lib/crypto.server.ts";
import { hours } from "#app/lib/durations.ts";
import { newBoss } from "#app/queue/queue.server.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { readArchive } from "../../scripts/backup/archive.ts";
import { restoreBackup } from "../../scripts/backup/restore-backup.ts";
import { takeBackup } from "../../scripts/backup/take-backup.ts";
import { roleOf } from "../../scripts/database-roles.ts";
import { createDatabase, dropDatabase, inDatabase } from "../../scripts/databases.ts";
import { knownMigrations, migrateDatabase } from "../../scripts/migrate.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { asApplication, cloneTemplate, copyDemoFiles, DEMO_KEY, PREFIX, serverAddress, urlOf } from "../setup/database.ts";

const home = mkdtempSync(join(tmpdir(), PREFIX));
const made: DatabaseAddress[] = [];
const track = (address: DatabaseAddress) => {
  made.push(address);
  return address;
};
let nth = 0;
/** Returns the address of a database that does not exist yet. */
const fresh = () => track(inDatabase(serverAddress(), `${PREFIX}${process.pid}_restore${++nth}`));
const filesAt = (name: string) => join(home, name);

/** Returns everything about a database that must be restored, read in a different way than the backup reads it. */
async function portrait(address: DatabaseAddress) {
  const { sql, end } = connect(address, { max: 1 });
  try {
    await sql`set statement_timeout = 0`;
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
    const rows: Record<string, string> = {};
    for (const { name } of tables) {
      const lines = await sql.unsafe<{ line: string }[]>(`select to_jsonb(t)::text as line from "${name}" t order by 1`);
      const hash = createHash("sha256");
      for (const { line } of lines) hash.update(`${line}\n`);
      rows[name] = `${lines.length} ${hash.digest("hex")}`;
    }
    return {
      rows,
      sequences: await sql`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
      triggers:
        await sql`select tgrelid::regclass::text as of, tgname, tgenabled, pg_get_triggerdef(oid) as def from pg_trigger where not tgisinternal order by 1, 2`,
      constraints: await sql`
        select conrelid::regclass::text as of, conname, convalidated, pg_get_constraintdef(oid) as def
        from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
      indexes: await sql`select tablename, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
      words: await sql`select count(*)::int as n from search_words`,
      migrations: await sql`select hash from drizzle.__drizzle_migrations order by id`,
    };
  } finally {
    await end();
  }
}
function treeOf(folder: string): Record<string, string> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}
async function on<T>(address: DatabaseAddress, work: (sql: ReturnType<typeof connect>["sql"]) => Promise<T>): Promise<T> {
  const { sql, end } = connect(address, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await end();
  }
}
const waitingIn = (address: DatabaseAddress) =>
  on(
    address,
    (sql) => sql`select id::text, data, start_after from pgboss.job where name = 'email' and state = 'created' order by data->>'to'`,
  );

let source: DatabaseAddress;
const role = () => roleOf(asApplication(source));
const archive = join(home, "whole.tar");
beforeAll(async () => {
  source = track(await cloneTemplate("demo"));
  mkdirSync(filesAt("source"));
  copyDemoFiles(filesAt("source"));
  await on(source, async (sql) => {
    // Characters that break text formats.
    await sql`update users set created_at = '2024-02-29 23:59:59.000001+00' where email = 'doctor@demo.test'`;
    await sql`update doctors set full_name = ${"Tab\tline\nback\\slash \\N నాడి 🌿"} where id = (select id from doctors limit 1)`;
    await sql`refresh materialized view search_words`;
  });
  const boss = newBoss(source, { work: false });
  await boss.start();
  for (const to of ["a@demo.test", "b@demo.test"])
    await boss.send("email", { to, subject: "s", body: "sealed" }, { startAfter: new Date("2031-01-01T10:00:00.123Z") });
  const [done] = [await boss.send("email", { to: "gone@demo.test", subject: "s", body: "sealed" })];
  await boss.cancel("email", done!);
  await boss.stop({ graceful: false });
});
afterAll(async () => {
  for (const address of made) await dropDatabase(address);
  rmSync(home, { recursive: true, force: true });
});

describe("backup, drop, restore", () => {
  it("restores every row, sequence, trigger, queued email and file", async () => {
    const before = await portrait(source);
    const emails = await waitingIn(source);
    const manifest = await takeBackup(source, filesystemStore(filesAt("source")), archive);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(manifest).toMatchObject({ jobs: 2, files: { missing: 0, count: Object.keys(treeOf(filesAt("source"))).length } });
    expect(manifest.tables.map((table) => table.name)).toEqual(Object.keys(before.rows));
    expect(manifest.tables.filter((table) => table.rows > 0).length).toBeGreaterThan(15);
    await dropDatabase(source);

    const result = await restoreBackup(source, filesystemStore(filesAt("restored")), archive, { application: role() });
    expect(result).toMatchObject({ without: 0, queued: 2 });
    expect(await portrait(source)).toEqual(before);
    expect(await waitingIn(source)).toEqual(emails);
    expect(await on(source, (sql) => sql`select distinct name from pgboss.job where state = 'created'`)).toEqual([{ name: "email" }]);
    expect(treeOf(filesAt("restored"))).toEqual(treeOf(filesAt("source")));
    await on(source, async (sql) => {
      await expect(sql`delete from audit_log`).rejects.toThrow("append-only");
      await expect(sql`insert into patients (id) values (gen_random_uuid())`).rejects.toThrow("foreign key");
    });
  });

  it("restores the files of a bucket to a bucket", async () => {
    const bucket = new Map<string, Buffer>();
    await using stub = await httpStub(({ method, path, body }) => {
      if (method === "PUT") bucket.set(path, body);
      const found = bucket.get(path);
      return method === "GET" && !found ? { status: 404 } : { body: found ?? "" };
    });
    const store = s3Store({ endpoint: stub.url, bucket: "nadi", region: "auto", accessKeyId: "id", secretAccessKey: "secret" });
    await restoreBackup(fresh(), store, archive);
    expect(
      Object.fromEntries(
        [...bucket].map(([path, bytes]) => [path.slice("/nadi/".length), createHash("sha256").update(bytes).digest("hex")]).sort(),
      ),
    ).toEqual(treeOf(filesAt("source")));
    const again = join(home, "bucket.tar");
    expect((await takeBackup(made.at(-1)!, store, again)).files).toMatchObject({ count: bucket.size, missing: 0 });
  });

  it("contains one moment, also while users book", async () => {
    const { sql, end } = connect(source, { max: 1 });
    let busy = true;
    // Points and their ledger change together, so a backup of two moments would not match.
    const people = (async () => {
      while (busy)
        await sql`insert into wallet_entries (patient_id, kind, about, points) select id, 'demo', 'x', 1 from patients limit 5`.catch(
          () => {
            busy = false;
          },
        );
    })();
    const moment = join(home, "moment.tar");
    await takeBackup(source, null, moment);
    busy = false;
    await people;
    await end();
    const there = fresh();
    expect((await restoreBackup(there, filesystemStore(filesAt("moment")), moment)).without).toBeGreaterThan(5);
    const [sums] = await on(
      there,
      (s) => s`select (select sum(balance) from wallets)::int as balance, (select sum(points) from wallet_entries)::int as points`,
    );
    expect(sums?.balance).toBe(sums?.points);
  });

  it("migrates an older backup to the current tables", async () => {
    const old = fresh();
    await createDatabase(old);
    await migrateDatabase(old, { count: 1 });
    await on(old, (sql) => sql`insert into users (role, phone) values ('patient', '+919812345678')`);
    const path = join(home, "old.tar");
    expect((await takeBackup(old, null, path)).migrations).toEqual(knownMigrations().slice(0, 1));
    const there = fresh();
    await restoreBackup(there, filesystemStore(filesAt("old")), path);
    await on(there, async (sql) => {
      expect(await sql`select role, phone from users`).toEqual([{ role: "patient", phone: "+919812345678" }]);
      expect(await sql`select hash from drizzle.__drizzle_migrations order by id`).toEqual(knownMigrations().map((hash) => ({ hash })));
    });
  });
});

describe("what is refused", () => {
  const store = () => filesystemStore(filesAt("refused"));
  it("refuses a database with users unless forced, and always one with open connections", async () => {
    const before = await portrait(source);
    await expect(restoreBackup(source, store(), archive)).rejects.toThrow("The database is not empty");
    expect(await portrait(source)).toEqual(before);
    await on(source, async (sql) => {
      await sql`select 1`;
      await expect(restoreBackup(source, store(), archive, { force: true })).rejects.toThrow("Stop every server first");
      await sql`update users set email = 'changed@demo.test' where email = 'doctor@demo.test'`;
    });
    // Messages that are two days late are not sent.
    const late = { force: true, now: new Date(Date.now() + hours(49)) };
    expect(await restoreBackup(source, store(), archive, late)).toMatchObject({ without: 0, queued: 0, jobs: 2 });
    expect(await on(source, (sql) => sql`select from users where email = 'doctor@demo.test'`)).toHaveLength(1);
    // The application's role has exactly its rights on the restored tables.
    const rights = await on(
      source,
      (sql) =>
        sql`select has_table_privilege(${role()}, 'users', 'UPDATE') as people, has_table_privilege(${role()}, 'audit_log', 'UPDATE') as log`,
    );
    expect(rights).toEqual([{ people: true, log: false }]);
  });
  it("refuses a database of another role", async () => {
    const other = fresh();
    await createDatabase(other);
    await on(other, (sql) => sql`create table ledger (id int)`);
    await expect(restoreBackup(other, store(), archive)).rejects.toThrow("not empty");
    await expect(takeBackup(other, null, join(home, "other.tar"))).rejects.toThrow("no database of Nadi");
    expect(readdirSync(home).filter((name) => name.startsWith("other"))).toEqual([]);
  });
  it("refuses a truncated, modified or unrelated file before any change", async () => {
    const there = fresh();
    const whole = readFileSync(archive);
    const broken = join(home, "broken.tar");
    for (const size of [0, 511, 512, 5000, Math.floor(whole.length / 2), whole.length - 1536, whole.length - 2048]) {
      writeFileSync(broken, whole);
      truncateSync(broken, size);
      await expect(restoreBackup(there, store(), broken), `${size} bytes`).rejects.toThrow("is not a whole backup");
    }
    for (const at of [700, Math.floor(whole.length / 2), whole.length - 2500]) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 1;
      writeFileSync(broken, changed);
      await expect(restoreBackup(there, store(), broken), `byte ${at}`).rejects.toThrow(/is not a whole backup|is not a backup/);
    }
    await expect(restoreBackup(there, store(), join(home, "nowhere.tar"))).rejects.toThrow("cannot be read");
    await expect(on(there, (sql) => sql`select 1`)).rejects.toThrow("does not exist");
  });
  it("a failing backup leaves no file, and an existing name is not overwritten", async () => {
    const path = join(home, "failed.tar");
    const failing = { ...store(), get: () => Promise.reject(new Error("the disk is gone")) };
    await expect(takeBackup(source, failing, path)).rejects.toThrow("the disk is gone");
    expect(readdirSync(home).filter((name) => name.startsWith("failed"))).toEqual([]);
    await expect(takeBackup(source, null, archive)).rejects.toThrow("exists already");
    const without = await takeBackup(source, { ...store(), get: async () => null }, path);
    expect(without.files).toEqual({ count: 0, bytes: 0, missing: Object.keys(treeOf(filesAt("source"))).length });
  });
  it("a failing restore changes nothing or everything", async () => {
    const there = fresh();
    const failing = { ...store(), put: () => Promise.reject(new Error("the disk is full")) };
    await expect(restoreBackup(there, failing, archive)).rejects.toThrow("the disk is full");
    expect(await on(there, (sql) => sql`select to_regclass('public.users') as users`)).toEqual([{ users: null }]);
    // The next attempt needs no cleaning up.
    await restoreBackup(there, store(), archive);
    await on(there, (sql) => sql`update users set email = 'newer@demo.test' where email = 'doctor@demo.test'`);
    const [before, emails] = [await portrait(there), await waitingIn(there)];
    expect(emails.length).toBeGreaterThan(0);
    await expect(restoreBackup(there, failing, archive, { force: true })).rejects.toThrow("the disk is full");
    expect(await portrait(there)).toEqual(before);
    expect(await waitingIn(there)).toEqual(emails);
  });
});

it("is encrypted, opens as a tar with its key, and contains no key", async () => {
  const names: string[] = [];
  for await (const { name } of readArchive(archive)) names.push(name);
  expect(names).toContain("tables/users/000001.copy.gz");
  expect(names.at(-1)).toBe("manifest.json");
  const stored = readFileSync(archive);
  for (const canary of ["ustar", "tables/users", "manifest.json", "JFIF"]) expect(stored.includes(canary)).toBe(false);
  const open = (key: string, to: string) =>
    spawnSync(process.execPath, ["scripts/open-backup.ts", archive, join(home, to)], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: home, DATABASE_URL: urlOf(source), DATA_DIR: home, DEMO: "1", ENCRYPTION_KEY: key },
    });
  const other = open("a key that did not encrypt this backup", "never.tar");
  expect([other.status, other.stderr]).toEqual([
    1,
    `${archive} was encrypted with the key ${keyIdOf(DEMO_KEY)}, which is not in ENCRYPTION_KEY. Add that key to the list (docs/operations.md, Keys).\n`,
  ]);
  expect(open(`the key of the year after this one,${DEMO_KEY}`, "open.tar")).toMatchObject({ status: 0, stderr: "" });
  const listed = spawnSync("tar", ["tf", join(home, "open.tar")], { encoding: "utf8" });
  // An unencrypted backup of an earlier version is accepted too.
  const plainNames: string[] = [];
  for await (const { name } of readArchive(join(home, "open.tar"))) plainNames.push(name);
  expect(plainNames).toEqual(names);
  // Two chunks swapped.
  const start = stored.indexOf("\n") + 1;
  const frame = 64 * 1024 + 16;
  const [first, second] = [stored.subarray(start, start + frame), stored.subarray(start + frame, start + 2 * frame)];
  const swapped = join(home, "swapped.tar");
  writeFileSync(swapped, Buffer.concat([stored.subarray(0, start), second, first, stored.subarray(start + 2 * frame)]));
  await expect(readArchive(swapped).next()).rejects.toThrow("cut off or changed");
  expect(listed.stderr).toBe("");
  expect(listed.stdout.trim().split("\n")).toEqual([...names, "SHA256"]);
  for await (const { name, bytes } of readArchive(archive))
    if (!name.startsWith("files/")) expect(bytes.includes("the key of the demo template")).toBe(false);
});

it("both commands print in one line what they did, or why not", () => {
  const run = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATABASE_URL: urlOf(asApplication(source)),
        DATABASE_OWNER_URL: urlOf(source),
        DATA_DIR: home,
        DEMO: "1",
      },
    });
  const folder = filesAt("folder");
  mkdirSync(folder);
  const backup = run("backup", folder, "--without-files");
  expect(backup).toMatchObject({ status: 0, stderr: "" });
  const [name] = readdirSync(folder);
  expect(name).toMatch(/^nadi-[\dT-]+Z\.tar$/);
  expect(backup.stdout).toMatch(/: \d+ rows of \d+ tables, \d+ waiting messages, no files\.\n/);
  const restore = run("restore", join(folder, name!));
  expect(restore).toMatchObject({ status: 1, stdout: "" });
  expect(restore.stderr).toBe("The database is not empty. Restore into a new one, or add --force to delete everything that is in it.\n");
  expect(run("backup")).toMatchObject({ status: 2, stderr: "usage: npm run backup -- <file or folder> [--without-files]\n" });
});
