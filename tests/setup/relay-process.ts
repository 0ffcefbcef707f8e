import { type ChildProcess, spawn } from "node:child_process";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";

/** Starts a process that runs only the relay of live events. The caller ends it. */
export function relayProcess(database: DatabaseAddress): ChildProcess {
  const code = `import { startRelay } from "#app/realtime/relay.server.ts"; startRelay(JSON.parse(process.env.ADDRESS)); setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, ADDRESS: JSON.stringify(database) },
    stdio: "inherit",
  });
}
