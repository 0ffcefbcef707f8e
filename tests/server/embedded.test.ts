/** The embedded database of a checkout, from scripts/db.mjs: in a data folder of its own, killed and restarted. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomToken } from "#app/lib/ids.server.ts";
import { createApplicationRole } from "../../scripts/database-roles.ts";
import { createDatabase, withAdmin } from "../../scripts/databases.ts";
import { migrateDatabase } from "../../scripts/migrate.ts";
import { PREFIX } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { freePort, startServer } from "../setup/server.ts";

const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}db_`));
const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
const env = { ...rest, DATA_DIR: dataDir } as NodeJS.ProcessEnv;
// With a timeout: while it waits, nothing else of this file can run, not even what would release it.
const db = (command: string) => spawnSync(process.execPath, ["scripts/db.mjs", command], { env, encoding: "utf8", timeout: 60_000 });
const note = () =>
  JSON.parse(readFileSync(join(dataDir, "db.json"), "utf8")) as {
    host: string;
    port: number;
    username: string;
    database: string;
    owner: string;
  };
/** Connects with the role of the product, and as the owner of its tables. */
const address = () => (({ owner: _, ...rest }) => rest)(note());
const ownAddress = () => ({ ...address(), username: note().owner });
const postmaster = () => Number(/pid (\d+)/.exec(db("status").stdout)?.[1]);
const LIST = "/doctorspages/Cards-data";
const pause = (ms: number) => new Promise((ok) => setTimeout(ok, ms));
async function eventually<T>(ask: () => Promise<T> | T, good: (value: T) => boolean, ms = 30_000): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await ask();
    if (good(value) || performance.now() > end) return value;
    await pause(100);
  }
}

beforeAll(async () => {
  expect(db("start").status).toBe(0);
  await createDatabase(ownAddress());
  await migrateDatabase(ownAddress(), { application: await createApplicationRole(ownAddress(), address()) });
}, 60_000);
afterAll(() => {
  db("destroy");
  rmSync(dataDir, { recursive: true, force: true });
});

test("two starts at once use one database", async () => {
  const codes = await Promise.all(
    [1, 2].map(() => new Promise((ok) => spawn(process.execPath, ["scripts/db.mjs", "start"], { env, stdio: "ignore" }).on("exit", ok))),
  );
  expect(codes).toEqual([0, 0]);
  expect(db("status").stdout).toMatch(/^up/);
});

test("the database dies: pages answer 503, the process survives, and everything recovers", { timeout: 120_000 }, async () => {
  const server = await startServer({ database: address(), asGiven: true });
  try {
    // With a session cookie a page never comes from the cache.
    const pages = {
      get(path: string) {
        const browser = new Browser(server.url);
        browser.cookies.set("nadi_session", randomToken());
        return browser.get(path);
      },
    };
    expect((await pages.get(LIST)).status).toBe(200);
    expect((await pages.get("/readyz")).status).toBe(200);

    process.kill(postmaster(), "SIGKILL");
    const down = await eventually(
      () => pages.get(LIST),
      (answer) => answer.status === 503,
    );
    expect(down.status).toBe(503);
    expect(Number(down.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(down.text).toContain("Nadi is not available right now.");
    // SOS does not wait for a database.
    for (const path of ["/patient/emergency-contact", "/healthz"]) expect((await pages.get(path)).status).toBe(200);
    const unready = await pages.get("/readyz");
    expect(unready.status).toBe(503);
    expect(unready.headers.get("retry-after")).toBeTruthy();

    expect(db("start").status).toBe(0);
    expect(
      await eventually(
        () => pages.get(LIST).then((a) => a.status),
        (status) => status === 200,
      ),
    ).toBe(200);
    expect((await pages.get("/readyz")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test("the database freezes: pages answer within the deadline, and the next page works", { timeout: 120_000 }, async () => {
  const server = await startServer({ database: address(), asGiven: true });
  const ask = async () => {
    const browser = new Browser(server.url);
    browser.cookies.set("nadi_session", randomToken());
    return browser.get(LIST);
  };
  expect((await ask()).status).toBe(200);
  // The postmaster and every backend, also those of this server.
  const folder = realpathSync(join(dataDir, "pg"));
  const frozen = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
  try {
    for (const pid of frozen) process.kill(Number(pid), "SIGSTOP");
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("Nadi is not available right now.");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  } finally {
    for (const pid of frozen) process.kill(Number(pid), "SIGCONT");
  }
  expect(
    await eventually(
      () => ask().then(({ status }) => status),
      (status) => status === 200,
    ),
  ).toBe(200);
  await server.stop();
});

test("starts again after everything was killed", () => {
  expect(db("start").status).toBe(0);
  process.kill(postmaster(), "SIGKILL");
  expect(db("start").status).toBe(0);
  expect(db("status").status).toBe(0);
});

test("the last server to end stops the database, not the first", async () => {
  const children: ChildProcess[] = [];
  const serve = async () => {
    const port = await freePort();
    const child = spawn(process.execPath, ["server.ts"], {
      env: { ...env, DEMO: "1", PORT: String(port), NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(child);
    const end = new Promise((ok) => child.once("exit", ok));
    await new Promise<void>((ok, no) => {
      child.stdout.on("data", (chunk) => String(chunk).includes("ready at") && ok());
      void end.then((code) => no(new Error(`ended with ${code}`)));
    });
    return { child, end };
  };
  try {
    expect(db("start").status).toBe(0);
    const first = await serve();
    const second = await serve();
    first.child.kill("SIGTERM");
    expect(await first.end).toBe(0);
    expect(db("status").status).toBe(0);
    second.child.kill("SIGINT");
    second.child.kill("SIGINT");
    expect(await second.end).toBe(0);
    expect(db("status").status).toBe(3);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
});

describe.runIf(process.getuid?.() === 0)("starts as root with the database outside the checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}db_root_`));
  const start = () => {
    const run = spawnSync(process.execPath, ["scripts/db.mjs", "start"], {
      env: { ...env, DATA_DIR: folder },
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(run.status, run.stderr).toBe(0);
    return { fresh: (JSON.parse(run.stdout) as { fresh: boolean }).fresh, warning: run.stderr };
  };
  const moved: string[] = [];
  const database = () => realpathSync(join(folder, "pg"));
  const deleteCheckout = () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  };
  afterAll(() => {
    spawnSync(process.execPath, ["scripts/db.mjs", "destroy"], { env: { ...env, DATA_DIR: folder }, timeout: 60_000 });
    for (const path of [folder, ...moved]) rmSync(path, { recursive: true, force: true });
  });

  test("starts empty after the checkout was deleted and cloned again, and leaves the old database on disk", { timeout: 120_000 }, () => {
    expect(start()).toEqual({ fresh: true, warning: "" });
    expect(start()).toEqual({ fresh: false, warning: "" });
    const id = readFileSync(join(database(), "installation"), "utf8");
    deleteCheckout();
    const again = start();
    expect(again.fresh).toBe(true);
    expect(again.warning.trim().split("\n")).toHaveLength(1);
    expect(again.warning).toContain("To get it back");
    moved.push(/It is now (\S+),/.exec(again.warning)![1]!);
    expect(readFileSync(join(moved[0]!, "installation"), "utf8")).toBe(id);
    expect(existsSync(join(moved[0]!, "PG_VERSION"))).toBe(true);
    expect(readFileSync(join(database(), "installation"), "utf8")).not.toBe(id);
    expect(start()).toEqual({ fresh: false, warning: "" });
  });

  test("uses the database of an earlier version while its .data folder exists, also with its secrets only", {
    timeout: 120_000,
  }, () => {
    for (const left of [["secrets.json", "pg", "db.json"], ["secrets.json"]]) {
      writeFileSync(join(folder, "secrets.json"), "{}");
      rmSync(join(database(), "installation"));
      for (const name of readdirSync(folder)) if (!left.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
      expect(start()).toEqual({ fresh: false, warning: "" });
      expect(readFileSync(join(folder, "installation"), "utf8")).toBe(readFileSync(join(database(), "installation"), "utf8"));
    }
    rmSync(join(database(), "installation"));
    deleteCheckout();
    const again = start();
    expect(again.fresh).toBe(true);
    moved.push(/It is now (\S+),/.exec(again.warning)![1]!);
  });

  test("restores the old database with the command of its message", { timeout: 120_000 }, () => {
    const marker = readFileSync(join(folder, "installation"), "utf8");
    const place = database();
    deleteCheckout();
    const old = /It is now (\S+),/.exec(start().warning)![1]!;
    spawnSync(process.execPath, ["scripts/db.mjs", "stop"], { env: { ...env, DATA_DIR: folder }, timeout: 60_000 });
    rmSync(place, { recursive: true });
    renameSync(old, place);
    deleteCheckout();
    writeFileSync(join(folder, "installation"), marker);
    expect(start()).toEqual({ fresh: false, warning: "" });
  });
});

test("the next run deletes the database of a killed test run, and leaves nothing", { timeout: 120_000 }, async () => {
  const script = `import { startThrowaway } from "./scripts/db.mjs";
    const made = await startThrowaway();
    process.on("SIGTERM", () => process.exit(made.end()));
    console.log(made.host);
    setInterval(() => {}, 1000);`;
  const run = () => spawn(process.execPath, ["--input-type=module", "-e", script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const socketsOf = (child: ReturnType<typeof run>) =>
    new Promise<string>((ok) => child.stdout.once("data", (line) => ok(String(line).trim())));
  const end = (child: ReturnType<typeof run>, signal: NodeJS.Signals) =>
    new Promise((ok) => {
      child.once("exit", ok);
      child.kill(signal);
    });
  const killed = run();
  const left = await socketsOf(killed);
  await end(killed, "SIGKILL");
  const [setting] = await withAdmin({ host: left, port: 5432, username: "postgres", database: "postgres" }, (sql) => sql`show fsync`);
  expect(setting).toEqual({ fsync: "off" });

  const next = run();
  const own = await socketsOf(next);
  expect([existsSync(dirname(left)), existsSync(dirname(own))]).toEqual([false, true]);
  await end(next, "SIGTERM");
  expect(existsSync(dirname(own))).toBe(false);
});
