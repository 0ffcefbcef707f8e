/** A PostgreSQL of its own for a proof that kills, stops, freezes or fills it: durable, unlike that of the tests. */
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { familyOf } from "../../processes.ts";

const SCRIPT = resolve(import.meta.dirname, "../../db.mjs");
/** Free space of a small disk before it is filled. */
const SPARE_MB = 64;

export type SmallDisk = { fill(): void; free(): void };
export type OwnDatabase = {
  /** The folder of its files. */
  files(): string;
  /** Kills the server with SIGKILL, as a failing machine does. */
  kill(): void;
  /** Starts it again. Resolves once it accepts connections; at once when it runs. */
  start(): Promise<void>;
  /** Stops it as an operator does: open transactions end. */
  stop(): Promise<void>;
  /** Stops all its processes with SIGSTOP: connections stay open without an answer. Returns what ends that. */
  freeze(): () => void;
  /** Moves its files to a small disk in memory, while it is stopped. Null: this user must not mount one. */
  onSmallDisk(): Promise<SmallDisk | null>;
};

/** Runs `work` while templates and copies of `tests/setup/database.ts` are made on a cluster of its own. */
export async function withOwnDatabase(work: (database: OwnDatabase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "nadi-prove-db-"));
  const before = process.env.DATA_DIR;
  // Not spawnSync: the clients of the proof go on meanwhile.
  const run = (command: string) =>
    new Promise<void>((ok, no) => {
      const child = spawn(process.execPath, [SCRIPT, command], {
        env: { ...process.env, DATA_DIR: folder },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let errors = "";
      child.stderr.on("data", (chunk) => {
        errors += chunk;
      });
      child.once("exit", (code) => (code === 0 ? ok() : no(new Error(`db.mjs ${command}: ${errors}`))));
    });
  const data = () => realpathSync(join(folder, "pg"));
  const master = () => Number(readFileSync(join(data(), "postmaster.pid"), "utf8").split("\n")[0]);
  let mounted: string | null = null;
  await run("start");
  process.env.DATA_DIR = folder;
  try {
    await work({
      files: data,
      kill: () => {
        process.kill(master(), "SIGKILL");
      },
      start: () => run("start"),
      stop: () => run("stop"),
      freeze() {
        // The postmaster first, so that no backend is missed.
        const stopped: number[] = [];
        for (const pid of [master(), ...familyOf(master())])
          if (!stopped.includes(pid)) {
            process.kill(pid, "SIGSTOP");
            stopped.push(pid);
          }
        return () => {
          for (const pid of stopped.reverse()) process.kill(pid, "SIGCONT");
        };
      },
      async onSmallDisk() {
        const place = data();
        const owner = (what: string) => execFileSync("stat", ["-c", what, place], { encoding: "utf8" }).trim();
        const used = Number(execFileSync("du", ["-sm", place], { encoding: "utf8" }).split("\t")[0]);
        const options = `size=${used + SPARE_MB}m,mode=0700,uid=${owner("%u")},gid=${owner("%g")}`;
        await run("stop");
        const aside = `${place}.aside`;
        renameSync(place, aside);
        mkdirSync(place);
        try {
          execFileSync("mount", ["-t", "tmpfs", "-o", options, "nadi-prove", place], { stdio: "ignore" });
          mounted = place;
        } catch {
          rmSync(place, { recursive: true });
          renameSync(aside, place);
          await run("start");
          return null;
        }
        execFileSync("cp", ["-a", `${aside}/.`, place]);
        rmSync(aside, { recursive: true });
        await run("start");
        const filler = join(place, "filler");
        return { fill: () => fill(filler), free: () => rmSync(filler, { force: true }) };
      },
    });
  } finally {
    if (before === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = before;
    // A mounted folder cannot be deleted, and a database without its files cannot be stopped.
    if (mounted) {
      await run("stop").catch(() => undefined);
      execFileSync("umount", [mounted]);
    }
    await run("destroy");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes until there is no space left. */
function fill(file: string): void {
  const chunk = Buffer.alloc(64 * 1024, 1);
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
  if (statfsSync(file).bavail > 16) throw new Error("the small disk is not full");
}
