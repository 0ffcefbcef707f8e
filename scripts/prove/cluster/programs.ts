/** The programs of the cluster: where they are, how they are started as a user who is not root, and how they end. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { familyOf } from "../../processes.ts";

const POSTGRES = "/usr/lib/postgresql";
/** Newest first. */
const versions = () => (existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a)) : []);
const NEEDED = {
  patroni: ["/usr/bin/patroni"],
  "etcd-server": ["/usr/bin/etcd"],
  haproxy: ["/usr/sbin/haproxy"],
  "redis-server": ["/usr/bin/redis-server"],
  "postgresql-15": versions().map((version) => join(POSTGRES, version, "bin/postgres")),
} as const;
const find = (name: keyof typeof NEEDED) => NEEDED[name].find((path) => existsSync(path));

/** Returns the Debian packages that are not installed. */
export const missingPackages = () => (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).filter((name) => !find(name));

/** Returns the path of a program. @throws when it is not installed */
export function programOf(name: keyof typeof NEEDED): string {
  const path = find(name);
  if (!path) throw new Error(`${name} is not installed`);
  return path;
}

/** The user that runs everything when this is root, which PostgreSQL refuses. */
export function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

export type Program = { child: ChildProcess /** Itself and its descendants. */; family(): number[]; kill(): Promise<void> };

/** Starts a program in the folder of the cluster, with its output in `name`.log. It ends with this process. */
export function run(name: string, folder: string, path: string, args: readonly string[], env: Record<string, string> = {}): Program {
  const log = openSync(join(folder, `${name}.log`), "a");
  const child = spawn(path, args, {
    ...account(),
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", HOME: folder, ...env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.on("error", () => undefined);
  const gone = new Promise<void>((ok) => child.once("exit", () => ok()));
  const family = () => (child.pid === undefined ? [] : familyOf(child.pid));
  const killAll = () => {
    for (const pid of family()) killPid(pid);
  };
  process.once("exit", killAll);
  return {
    child,
    family,
    async kill() {
      process.off("exit", killAll);
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      killAll();
      await gone;
    },
  };
}

export function killPid(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
