/**
 * Test databases on a real PostgreSQL. A template is migrated and seeded once; each test file and test server gets a copy
 * (about 30 ms). The name of a template contains a hash of its sources, so later runs use it again.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type DatabaseAddress, readEnvironment } from "#app/runtime/env.server.ts";
import { createApplicationRole, roleOf } from "../../scripts/database-roles.ts";
import { inDatabase, withAdmin } from "../../scripts/databases.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const sha = (...parts: (string | Buffer)[]) =>
  parts.reduce((h: ReturnType<typeof createHash>, p) => h.update(p), createHash("sha256")).digest("hex");

/** Name prefix of the test databases of this checkout. */
export const PREFIX = `nadi_t_${sha(ROOT).slice(0, 6)}_`;

/** Returns the test server's address as owner: TEST_DATABASE_URL, DATABASE_URL or the embedded one of this checkout. */
export function serverAddress(): DatabaseAddress {
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!url && !existsSync(resolve(ROOT, process.env.DATA_DIR ?? ".data", "db.json")))
    throw new Error("No database is running. Run `npm test`, or `node scripts/db.mjs start` first.");
  return readEnvironment({ DATABASE_URL: url, DEMO: "1", DATA_DIR: process.env.DATA_DIR ?? join(ROOT, ".data") }).databaseOwner;
}
/** Returns the same database with a role that has only the application's rights, as in production. */
export function asApplication(address: DatabaseAddress): DatabaseAddress {
  const role = `${PREFIX}app`;
  if (!("url" in address)) return { ...address, username: role };
  const url = new URL(address.url);
  url.username = role;
  url.password = sha(ROOT, role).slice(0, 32);
  return { url: url.href };
}
/** Returns a DATABASE_URL for another process. */
export function urlOf(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  return `postgres://${address.username}@localhost/${address.database}?host=${encodeURIComponent(address.host)}&port=${address.port}`;
}

function sources(folder: string): Buffer[] {
  return (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
    .filter((f) => /\.(sql|ts)$/.test(f) && !/\.test\.ts$/.test(f))
    .sort()
    .map((f) => readFileSync(join(ROOT, folder, f)));
}

/** Encryption key of the demo template and the test servers. */
export const DEMO_KEY = "the key of the demo template for tests";

export type Template = "reference" | "demo";
let sourcesHash: string | undefined;
function templateName(kind: Template): string {
  sourcesHash ??= hashOfSources();
  // Dates of the demo data are relative to the day it was made, in India.
  return `${PREFIX}tpl_${kind}_${sha(kind === "demo" ? new Date().toLocaleDateString("en-CA", { timeZone: "Asia/Kolkata" }) : "", sourcesHash).slice(0, 10)}`;
}
function hashOfSources(): string {
  return sha(
    ...sources("drizzle"),
    ...sources("demo"),
    ...sources("app/db/schema"),
    ...sources("app/jobs"),
    ...sources("app/queue"),
    readFileSync(join(ROOT, "app/db/privileges.ts")),
  );
}
/** Folder with the files of the demo template. */
const templateFiles = () => join(tmpdir(), templateName("demo"));

const TEMPLATE_LOCK = 7242;

/** Creates a template if it does not exist. Safe with several processes at once. */
export async function ensureTemplate(kind: Template): Promise<string> {
  const server = serverAddress();
  const name = templateName(kind);
  const base = kind === "demo" ? await ensureTemplate("reference") : "template0";
  await withAdmin(server, async (admin) => {
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const [there] = await admin`select from pg_database where datname = ${name}`;
    if (there && (kind === "reference" || existsSync(templateFiles()))) return;
    await admin.unsafe(`drop database if exists "${name}" with (force)`);
    // Renamed when complete, so that an aborted run leaves no incomplete template.
    const draft = `${PREFIX}draft_${process.pid}_${kind}`;
    await admin.unsafe(`drop database if exists "${draft}" with (force)`);
    await admin.unsafe(`create database "${draft}" template "${base}"`);
    // Imported only when needed: saves 0.7 s of CPU in each test file.
    const { fillReference, fillDemo } = await import("./templates.ts");
    const role = await createApplicationRole(inDatabase(server, draft), asApplication(server), { renew: true });
    if (kind === "reference") await fillReference(inDatabase(server, draft), role);
    else await fillDemo(inDatabase(server, draft), templateFiles(), DEMO_KEY);
    await admin.unsafe(`alter database "${draft}" rename to "${name}"`);
  });
  return name;
}

/** Templates that this process has seen, with their server. */
const ensured = new Set<string>();

/** A new name of a database of this process. It contains the process id for `sweep`. */
export const newDatabaseName = () => `${PREFIX}${process.pid}_${sha(String(Math.random()), String(performance.now())).slice(0, 8)}`;

/** Copies a template to a database of this name, which may exist. Default: a new one. */
export async function cloneTemplate(kind: Template, name = newDatabaseName()): Promise<DatabaseAddress> {
  const server = serverAddress();
  const template = templateName(kind);
  const known = `${urlOf(server)} ${template}`;
  if (!ensured.has(known)) await ensureTemplate(kind);
  ensured.add(known);
  await withAdmin(server, async (admin) => {
    await admin.unsafe(`drop database if exists "${name}" with (force)`);
    // The files at once: through the log of a database, PostgreSQL's default, takes three times as long.
    await admin.unsafe(`create database "${name}" template "${template}" strategy file_copy`);
    // A copy does not have the rights on the database itself.
    await admin.unsafe(`revoke temporary on database "${name}" from public`);
  });
  return inDatabase(server, name);
}
export const copyDemoFiles = (to: string) => cpSync(templateFiles(), to, { recursive: true });

/** Drops copies of processes that have ended. With `all`, every test database of this checkout. */
export async function sweep({ all = false } = {}): Promise<number> {
  const server = serverAddress();
  return withAdmin(server, async (admin) => {
    const rows = await admin<{ datname: string }[]>`select datname from pg_database where starts_with(datname, ${PREFIX})`;
    let dropped = 0;
    for (const { datname } of rows) {
      const rest = datname.slice(PREFIX.length);
      const pid = Number(/^(?:draft_)?(\d+)_/.exec(rest)?.[1] ?? 0);
      const stale = pid
        ? pid === process.pid || !isAlive(pid)
        : rest.startsWith("tpl_") && !(["reference", "demo"] as const).some((kind) => datname === templateName(kind));
      if (!all && !stale) continue;
      await admin.unsafe(`drop database if exists "${datname}" with (force)`);
      dropped++;
    }
    if (all) await admin.unsafe(`drop role if exists "${roleOf(asApplication(server))}"`);
    if (all)
      for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
    return dropped;
  });
}
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
