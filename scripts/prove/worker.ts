import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";
import { asApplication, cloneTemplate, DEMO_KEY, serverAddress, urlOf } from "../../tests/setup/database.ts";
import { databaseName, withAdmin } from "../databases.ts";

/** Runs `work` with a process of a simulation, which reads lines and answers with lines, on a database of its own. `file`: its module. */
export async function withWorker(file: string, work: (worker: ChildProcess) => Promise<void>): Promise<void> {
  const address: DatabaseAddress = await cloneTemplate("reference");
  const folder = mkdtempSync(join(tmpdir(), "nadi-prove-"));
  await withAdmin(address, async (owner) => {
    const name = databaseName(address);
    // No crash is part of this proof.
    await owner.unsafe(`alter database "${name}" set synchronous_commit = off`);
    // Plans are cached by each connection, and the first are made while the tables are empty.
    await owner.unsafe(`alter database "${name}" set enable_seqscan = off`);
  });
  // Many small objects die young.
  const worker = spawn(process.execPath, ["--max-semi-space-size=64", file], {
    env: {
      ...process.env,
      DATABASE_URL: urlOf(asApplication(address)),
      DATA_DIR: folder,
      DEMO: "1",
      ENCRYPTION_KEY: DEMO_KEY,
      LOG_LEVEL: "silent",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(worker, "exit");
  try {
    await work(worker);
  } finally {
    worker.kill();
    await gone;
    await withAdmin(serverAddress(), (admin) => admin.unsafe(`drop database if exists "${databaseName(address)}" with (force)`));
    rmSync(folder, { recursive: true, force: true });
  }
}
