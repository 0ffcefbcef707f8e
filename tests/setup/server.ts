/** Runs the real server as a child process with its own database, port, data folder and clock. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Connection, connect } from "#app/db/client.server.ts";
import { minutes } from "#app/lib/durations.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { databaseName, withAdmin } from "../../scripts/databases.ts";
import { asApplication, cloneTemplate, copyDemoFiles, DEMO_KEY, PREFIX, serverAddress, urlOf } from "./database.ts";

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
  /** Moves the server's clock from the next request on. */
  clock: { set(ms: number): void; advance(ms: number): void };
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

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((ok) => probe.listen(0, "127.0.0.1", ok));
  const { port } = probe.address() as { port: number };
  await new Promise((ok) => probe.close(ok));
  return port;
}

/**
 * Starts a server. The process has the rights of the application's role; `sql` and `db` those of the owner.
 * @param options.seed `true` (default): demo data. `false`: cities only
 * @param options.database an existing database, not dropped afterwards. Default: a copy of a template
 * @param options.asGiven uses the role of `database`, not the tests' application role
 * @param options.dataDir an existing folder for files and clock, not deleted afterwards. Default: a new folder
 * @param options.demoFiles copies the demo's files, for a `database` with the demo data. Default: `seed`
 * @param options.env variables over the defaults; `undefined` removes one
 */
export async function startServer(
  options: {
    env?: Record<string, string | undefined>;
    seed?: boolean;
    database?: DatabaseAddress;
    asGiven?: boolean;
    dataDir?: string;
    demoFiles?: boolean;
  } = {},
): Promise<TestServer> {
  if (!existsSync(join(ROOT, "build/server/index.js"))) throw new Error("There is no build. Run `npm test`, or `npm run build` first.");
  const seed = options.database === undefined && (options.seed ?? true);
  const address = options.database ?? (await cloneTemplate(seed ? "demo" : "reference"));
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), `${PREFIX}srv_`));
  if (options.demoFiles ?? seed) copyDemoFiles(join(dataDir, "files"));
  const clockFile = join(dataDir, "clock");
  let offset = 0;
  const port = options.env?.PORT ? Number(options.env.PORT) : await freePort();
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    DATABASE_URL: urlOf(options.asGiven ? address : asApplication(address)),
    DATA_DIR: dataDir,
    DEMO: "1",
    CLOCK_FILE: clockFile,
    PORT: String(port),
    LOG_LEVEL: "info",
    ENCRYPTION_KEY: DEMO_KEY,
    NODE_COMPILE_CACHE: COMPILED,
    ...options.env,
  };
  const child = spawn(process.execPath, ["server.ts"], { cwd: ROOT, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
  // A test that fails before stop() must not leave a running server.
  const orphaned = () => child.kill("SIGKILL");
  process.once("exit", orphaned);
  child.once("exit", () => process.off("exit", orphaned));
  let output = "";
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((ok) =>
    child.once("exit", (code, signal) => ok({ code, signal })),
  );
  const ready = new Promise<void>((ok, no) => {
    const see = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("ready at ")) ok();
    };
    child.stdout.on("data", see);
    child.stderr.on("data", see);
    exited.then(() => no(new Error(`the server ended before it was ready:\n${output}`)));
  });
  const connection = connect(address, { max: 3, statement: minutes(1) });
  const cleanUp = async () => {
    await connection.end();
    if (!options.database)
      await withAdmin(serverAddress(), (admin) => admin.unsafe(`drop database if exists "${databaseName(address)}" with (force)`)).catch(
        () => undefined,
      );
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await ready;
  } catch (error) {
    await cleanUp();
    throw error;
  }
  const url = `http://localhost:${port}`;

  const outbox: TestServer["outbox"] = async (to) => {
    const answer = await fetch(`${url}/dev/outbox.json${to ? `?to=${encodeURIComponent(to)}` : ""}`);
    if (!answer.ok) throw new Error(`outbox: ${answer.status}`);
    return (await answer.json()) as OutboxMessage[];
  };
  const move = (ms: number) => {
    offset = ms;
    writeFileSync(clockFile, String(offset));
  };
  let stopping: ReturnType<TestServer["stop"]> | undefined;
  return {
    url,
    port,
    pid: child.pid as number,
    dataDir,
    clock: { set: move, advance: (ms) => move(offset + ms) },
    outbox,
    async lastCode(to) {
      // A job may send another message after the one with the code.
      const code = (await outbox(to)).map(({ body }) => /\b\d{6}\b/.exec(body)?.[0]).find(Boolean);
      if (!code) throw new Error(`no code was sent to ${to}`);
      return code;
    },
    // Without the part after the last newline: that line is still arriving.
    logs: () =>
      output
        .slice(0, output.lastIndexOf("\n") + 1)
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as LogLine),
    output: () => output,
    db: connection.db,
    sql: connection.sql,
    child,
    stop(signal = "SIGTERM") {
      stopping ??= (async () => {
        child.kill(signal);
        const end = await exited;
        await cleanUp();
        return end;
      })();
      return stopping;
    },
  };
}
