import { seconds } from "#app/lib/durations.ts";
import { WorkQueue } from "#app/lib/work-queue.ts";
import { log } from "#app/runtime/log.server.ts";

const queue = new WorkQueue({ name: "background", parallel: 2, waiting: 200, waitMs: seconds(10) });
const running = new Set<Promise<void>>();

/** Runs a small write after the request, in this process. Logs and drops it when it fails or too many wait. */
export function inBackground(what: string, work: () => Promise<void>): void {
  const done = queue
    .run(work)
    .catch((error: unknown) => log.warn({ err: error, what }, "left out in the background"))
    .finally(() => running.delete(done));
  running.add(done);
}

/** Waits for all background writes, before the pool closes. */
export async function flushBackground(): Promise<void> {
  while (running.size) await Promise.all(running);
}
