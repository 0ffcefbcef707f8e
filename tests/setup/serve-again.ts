/**
 * The server that the HTTP tests of a vitest worker share. For each test file it stops, forgets its settings and its database, and starts
 * again in the same process: a new process needs a second of processor time, and runs its first pages slowly.
 */
import type * as Build from "#app/server/index.ts";

const { start, forgetStart } = (await import("../../build/server/index.js" as string)) as typeof Build;

let running = await begin();

async function begin() {
  const server = await start();
  // A signal of a test ends the process, as in server.ts.
  void server.stopped.then(() => running === server && process.exit(0));
  return server;
}

process.on("message", async (message: "stop" | { start: Record<string, string | undefined> }) => {
  if (message !== "stop") {
    process.env = message.start;
    running = await begin();
    process.send?.("started");
    return;
  }
  const { stop, stopped } = running;
  running = { stop() {}, stopped: new Promise(() => {}) };
  stop("end of a test file");
  await stopped;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.removeAllListeners(signal);
  forgetStart();
  process.send?.("stopped");
});
// The vitest worker has ended.
process.on("disconnect", () => process.exit(1));
