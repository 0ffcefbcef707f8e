/** A PostgreSQL of its own for a proof that kills, stops or freezes it: durable, unlike that of the tests. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SCRIPT = resolve(import.meta.dirname, "../../db.mjs");

export type OwnDatabase = {
  /** Kills the server with SIGKILL, as a failing machine does. */
  kill(): void;
  /** Starts it again. Returns once it accepts connections. */
  start(): void;
  /** Stops it as an operator does: open transactions end. */
  stop(): void;
};

/** Runs `work` while templates and copies of `tests/setup/database.ts` are made on a cluster of its own. */
export async function withOwnDatabase(work: (database: OwnDatabase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "nadi-prove-db-"));
  const before = process.env.DATA_DIR;
  const run = (command: string) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, command], {
      env: { ...process.env, DATA_DIR: folder },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`db.mjs ${command}: ${stderr}`);
  };
  const master = () => Number(readFileSync(join(folder, "pg", "postmaster.pid"), "utf8").split("\n")[0]);
  run("start");
  process.env.DATA_DIR = folder;
  try {
    await work({
      kill: () => {
        process.kill(master(), "SIGKILL");
      },
      start: () => run("start"),
      stop: () => run("stop"),
    });
  } finally {
    if (before === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = before;
    run("destroy");
    rmSync(folder, { recursive: true, force: true });
  }
}
