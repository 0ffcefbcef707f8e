/** Runs the real server as a child process with its own database, port, data folder and clock. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Connection, connect } from "#app/db/client.server.ts";
import { minutes } from "#app/lib/durations.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { asApplication, cloneTemplate, copyDemoFiles, DEMO_KEY, newDatabaseName, PREFIX, urlOf } from "./database.ts";
import { lag, ownNow } from "./own-day.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Compiled scripts of earlier starts: a third less processor time for each server. */
const COMPILED = join(ROOT, "node_modules/.cache/nadi-compiled");

export type OutboxMessage = { id: string; channel: "sms" | "email"; to: string; subject: string | null; body: string; sentAt: string };
export type LogLine = { level: string; msg: string; requestId?: string; path?: string; status?: number; [key: string]: unknown };
export type TestServer = {
  /** `http://localhost:<port>` */
  url: string;
  port: number;
  pid: number;
  /** Its DATA_DIR: uploaded files, secrets, the clock. */
  dataDir: string;
  /** Moves the server's clock from the next request on: by milliseconds from now, by more of them, to a time. */
  clock: { set(ms: number): void; advance(ms: number): void; to(time: number): void };
  /** Returns sent messages, newest first. `to`: a phone (+91…) or an email address. */
  outbox(to?: string): Promise<OutboxMessage[]>;
  /** Returns the six-digit code of the newest message to this recipient. */
  lastCode(to: string): Promise<string>;
  /** Returns the lines of the log so far. */
  logs(): LogLine[];
  /** Returns everything written to stdout and stderr. */
  output(): string;
  /** A connection to the server's own database. */
  db: Connection["db"];
  sql: Connection["sql"];
  child: ChildProcess;
  /** Stops the server with a signal (default SIGTERM) and cleans up. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/** Returns the ids of the processes that a supervisor started. */
export const workerPids = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((ok) => probe.listen(0, "127.0.0.1", ok));
  const { port } = probe.address() as { port: number };
  await new Promise((ok) => probe.close(ok));
  return port;
}

type Variables = Record<string, string | undefined>;
type End = { code: number | null; signal: NodeJS.Signals | null };
type Process = { child: ChildProcess; exited: Promise<End>; output(): string };

const READY = "ready at ";
/** Runs a server until it is ready. It ends with this process: a test that fails before `stop` must not leave one. */
async function run(script: string, env: Variables, { again = false, cwd = ROOT } = {}): Promise<Process> {
  const stdio = ["ignore", "pipe", "pipe", ...(again ? ["ipc" as const] : [])] as const;
  const child = spawn(process.execPath, [script], { cwd, env: env as NodeJS.ProcessEnv, stdio: [...stdio] });
  const orphaned = () => child.kill("SIGKILL");
  process.once("exit", orphaned);
  child.once("exit", () => process.off("exit", orphaned));
  let output = "";
  const exited = new Promise<End>((ok) => child.once("exit", (code, signal) => ok({ code, signal })));
  await new Promise<void>((ok, no) => {
    const see = (chunk: Buffer) => {
      output += chunk;
      if (output.includes(READY)) ok();
    };
    child.stdout?.on("data", see);
    child.stderr?.on("data", see);
    exited.then(() => no(new Error(`the server ended before it was ready:\n${output}`)));
  });
  return { child, exited, output: () => output };
}

/** What the processes have in common. */
const environment = (address: DatabaseAddress, dataDir: string, port: number) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: "production",
  DATABASE_URL: urlOf(address),
  DATA_DIR: dataDir,
  DEMO: "1",
  CLOCK_FILE: join(dataDir, "clock"),
  PORT: String(port),
  LOG_LEVEL: "info",
  ENCRYPTION_KEY: DEMO_KEY,
  NODE_COMPILE_CACHE: COMPILED,
});
const newDataDir = () => mkdtempSync(join(tmpdir(), `${PREFIX}srv_`));

/** The servers that the test files of this worker have in turn (serve-again.ts): a second one for those that compare two settings. */
type Shared = Process & { database: string; dataDir: string; port: number; free: boolean };
const pool: Shared[] = [];
/** True in a worker of vitest (worker.ts). Playwright's have a server for all their files. */
let sharing = false;
export const shareServer = () => {
  sharing = true;
};

/** Starts a free server of the pool again on a new database, or a new one. */
async function takeShared(
  template: "demo" | "reference",
  variables: Variables,
): Promise<{ server: Shared; address: DatabaseAddress; from: number }> {
  const free = pool.find((one) => one.free);
  if (free) free.free = false;
  const { database, dataDir, port } = free ?? { database: newDatabaseName(), dataDir: newDataDir(), port: await freePort() };
  const address = await cloneTemplate(template, database);
  if (template === "demo") copyDemoFiles(join(dataDir, "files"));
  const env = { ...environment(asApplication(address), dataDir, port), ...variables };
  if (free) {
    const from = free.output().length;
    await ask(free, { start: env }, "started");
    return { server: free, address, from };
  }
  const server = { ...(await run("tests/setup/serve-again.ts", env, { again: true })), database, dataDir, port, free: false };
  pool.push(server);
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  return { server, address, from: 0 };
}
/** Sends a message to the shared server and waits for its answer. */
function ask({ child, exited, output }: Process, message: string | { start: Variables }, answer: string): Promise<void> {
  return new Promise((ok, no) => {
    const see = (got: unknown) => {
      if (got !== answer) return;
      child.off("message", see);
      ok();
    };
    child.on("message", see);
    child.send(message);
    exited.then(() => no(new Error(`the server ended:\n${output().slice(-5_000)}`)));
  });
}
/** Stops a server of the pool for the next file. Keeps its secrets: the process has read them. */
async function giveBack(server: Shared): Promise<void> {
  await ask(server, "stop", "stopped");
  for (const name of readdirSync(server.dataDir))
    if (name !== "secrets.json") rmSync(join(server.dataDir, name), { recursive: true, force: true });
  server.free = true;
}

/**
 * Starts a server. The process has the rights of the application's role; `sql` and `db` those of the owner. With no other options than
 * `seed` and `env`, test files of HTTP share processes, which start again for each.
 * @param options.own a process of its own, for what is read once in each process: LOG_LEVEL, and what a test counts in it
 * @param options.seed `true` (default): demo data. `false`: cities only
 * @param options.database an existing database, not dropped afterwards. Default: a copy of a template
 * @param options.asGiven uses the role of `database`, not the tests' application role
 * @param options.dataDir an existing folder for files and clock, not deleted afterwards. Default: a new folder
 * @param options.demoFiles copies the demo's files, for a `database` with the demo data. Default: `seed`
 * @param options.env variables over the defaults; `undefined` removes one
 * @param options.root another checkout with a build. Default: this one
 */
export async function startServer(
  options: {
    own?: boolean;
    env?: Variables;
    seed?: boolean;
    database?: DatabaseAddress;
    asGiven?: boolean;
    dataDir?: string;
    demoFiles?: boolean;
    root?: string;
  } = {},
): Promise<TestServer> {
  const root = options.root ?? ROOT;
  if (!existsSync(join(root, "build/server/index.js"))) throw new Error("There is no build. Run `npm test`, or `npm run build` first.");
  const seed = options.database === undefined && (options.seed ?? true);
  if (sharing && !options.env?.PORT && Object.keys(options).every((name) => name === "seed" || name === "env")) {
    const { server, address, from } = await takeShared(seed ? "demo" : "reference", options.env ?? {});
    return control(server, {
      ...server,
      address,
      from,
      async end(signal) {
        // A test that ends the process itself, or asks how it ends: the next file starts another.
        if (signal === undefined && server.child.exitCode === null && server.child.signalCode === null) {
          await giveBack(server);
          return { code: 0, signal: null };
        }
        pool.splice(pool.indexOf(server), 1);
        server.child.kill(signal);
        const end = await server.exited;
        rmSync(server.dataDir, { recursive: true, force: true });
        return end;
      },
    });
  }
  const address = options.database ?? (await cloneTemplate(seed ? "demo" : "reference"));
  const dataDir = options.dataDir ?? newDataDir();
  if (options.demoFiles ?? seed) copyDemoFiles(join(dataDir, "files"));
  const port = options.env?.PORT ? Number(options.env.PORT) : await freePort();
  const cleanUp = async () => {
    if (!options.database) await dropDatabase(address).catch(() => undefined);
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  const env = { ...environment(options.asGiven ? address : asApplication(address), dataDir, port), ...options.env };
  const server = await run("server.ts", env, { cwd: root }).catch(async (error) => {
    await cleanUp();
    throw error;
  });
  return control(server, {
    address,
    dataDir,
    port,
    from: 0,
    async end(signal = "SIGTERM") {
      server.child.kill(signal);
      const end = await server.exited;
      await cleanUp();
      return end;
    },
  });
}

/** What a test does with a running server. `from`: where its output begins. `end`: what `stop` does after the connection is closed. */
function control(
  { child, output }: Process,
  {
    address,
    dataDir,
    port,
    from,
    end,
  }: { address: DatabaseAddress; dataDir: string; port: number; from: number; end: (signal?: NodeJS.Signals) => Promise<End> },
): TestServer {
  const url = `http://localhost:${port}`;
  const connection = connect(address, { max: 3, statement: minutes(1) });
  const outbox: TestServer["outbox"] = async (to) => {
    const answer = await fetch(`${url}/dev/outbox.json${to ? `?to=${encodeURIComponent(to)}` : ""}`);
    if (!answer.ok) throw new Error(`outbox: ${answer.status}`);
    return (await answer.json()) as OutboxMessage[];
  };
  let offset = 0;
  const move = (ms: number) => {
    offset = ms;
    writeFileSync(join(dataDir, "clock"), String(offset - lag()));
  };
  if (lag()) move(0);
  const written = () => output().slice(from);
  let stopping: Promise<End> | undefined;
  return {
    url,
    port,
    pid: child.pid as number,
    dataDir,
    clock: { set: move, advance: (ms) => move(offset + ms), to: (time) => move(time - ownNow().getTime()) },
    outbox,
    async lastCode(to) {
      // A job may send another message after the one with the code.
      const code = (await outbox(to)).map(({ body }) => /\b\d{6}\b/.exec(body)?.[0]).find(Boolean);
      if (!code) throw new Error(`no code was sent to ${to}`);
      return code;
    },
    // Without the part after the last newline: that line is still arriving.
    logs: () =>
      written()
        .slice(0, written().lastIndexOf("\n") + 1)
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as LogLine),
    output: written,
    db: connection.db,
    sql: connection.sql,
    child,
    stop(signal) {
      stopping ??= connection.end().then(() => end(signal));
      return stopping;
    },
  };
}
