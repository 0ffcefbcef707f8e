/** A streaming standby of an embedded PostgreSQL, made without pg_basebackup, which its packages do not contain. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import postgres from "postgres";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";

export type TestStandby = {
  /** The same database on the standby. */
  of(address: DatabaseAddress): DatabaseAddress;
  /** Runs SQL on it as its superuser. */
  sql: postgres.Sql;
  /** Stops and continues the replay of what arrives. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when it has replayed what the primary had at the call. */
  caughtUp(): Promise<void>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
};

/** Files of a running server that a copy must not have. */
const OWN_FILES = new Set(["postmaster.pid", "postmaster.opts", "server.log"]);

/** Copies the cluster of `owner`, an address as superuser by socket, and starts the copy as its standby. */
export async function startStandby(owner: DatabaseAddress): Promise<TestStandby> {
  if ("url" in owner) throw new Error("a standby needs the embedded database");
  const primary = postgres({ ...owner, database: "postgres", max: 1, onnotice() {} });
  const [{ data_directory: data } = {}] = await primary`show data_directory`;
  const [{ pid } = {}] = await primary`select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid`;
  const program = readlinkSync(`/proc/${pid}/exe`);
  const folder = `${data}-standby`;
  const sock = join(dirname(folder), "standby-run");
  const as = statSync(data);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(sock, { recursive: true, mode: 0o700 });
  await primary`select pg_backup_start('standby', true)`;
  cpSync(data, folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !OWN_FILES.has(basename(file)) });
  const [{ labelfile } = {}] = await primary`select labelfile from pg_backup_stop(false)`;
  writeFileSync(join(folder, "backup_label"), String(labelfile));
  writeFileSync(join(folder, "standby.signal"), "");
  appendFileSync(
    join(folder, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${owner.host} port=${owner.port} user=${owner.username}'\n`,
  );
  for (const name of readdirSync(folder, { recursive: true }) as string[]) lchownSync(join(folder, name), as.uid, as.gid);
  for (const one of [folder, sock]) lchownSync(one, as.uid, as.gid);

  const at = { host: sock, port: owner.port };
  const sql = postgres({ ...at, username: owner.username, database: "postgres", max: 1, onnotice() {}, backoff: () => 0.05 });
  let server: ChildProcess;
  const start = async () => {
    const settings = { unix_socket_directories: sock, listen_addresses: "", max_connections: 200, shared_buffers: "32MB", jit: "off" };
    server = spawn(program, ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])], {
      ...(process.getuid?.() === 0 && { uid: as.uid, gid: as.gid }),
      cwd: "/",
      stdio: "ignore",
    });
    const ended = new Promise<never>((_, no) => server.once("exit", (code) => no(new Error(`the standby ended: ${code}`))));
    ended.catch(() => undefined);
    await Promise.race([until(() => sql`select 1`.then(() => true)), ended]);
  };
  const kill = async () => {
    const gone = new Promise((ok) => server.once("exit", ok));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGQUIT");
      server.kill("SIGCONT");
      await gone;
    }
  };
  await start();
  return {
    of: (address) => ({ ...(address as typeof owner), ...at }),
    sql,
    async pause() {
      await sql`select pg_wal_replay_pause()`;
      await until(async () => (await sql`select pg_get_wal_replay_pause_state() as state`)[0]?.state === "paused");
    },
    async resume() {
      await sql`select pg_wal_replay_resume()`;
    },
    async caughtUp() {
      const [{ lsn } = {}] = await primary`select pg_current_wal_flush_lsn()::text as lsn`;
      await until(async () => (await sql`select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as there`)[0]?.there === true);
    },
    freeze: () => void signalAll(server.pid!, "SIGSTOP"),
    thaw: () => void signalAll(server.pid!, "SIGCONT"),
    kill,
    start,
    async end() {
      await Promise.all([sql.end({ timeout: 1 }), primary.end({ timeout: 1 })]);
      await kill();
      for (const one of [folder, sock]) rmSync(one, { recursive: true, force: true });
    },
  };
}

/** Sends a signal to a server and its processes. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readParent(name) === pid;
    } catch {
      return false; // it ended meanwhile
    }
  });
  for (const one of [pid, ...children.map(Number)]) process.kill(one, signal);
}

/** Returns the parent of a process. */
function readParent(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Resolves when `ask` returns true. @throws after 20 s */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    if (await ask().catch(() => false)) return;
    if (performance.now() > end) throw new Error("it did not happen within 20 s");
    await new Promise((ok) => setTimeout(ok, 50));
  }
}
