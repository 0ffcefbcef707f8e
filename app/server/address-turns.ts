/** Bounds how many requests of one address React Router answers at once, so that one client does not stop the others. */
import { networksOf } from "#app/domains/platform/limits/network.ts";
import { seconds } from "#app/lib/durations.ts";
import { WorkQueue } from "#app/lib/work-queue.ts";

/** Longest wait for a turn: 500 who press "Book" for one time at once have their answers after about 11 s. */
export const LONGEST_WAIT = seconds(20);
/** Clients behind one address of a mobile network share these: a page takes about 20 ms. */
const BOUNDS = { parallel: 16, waiting: 500, waitMs: LONGEST_WAIT };

const addresses = new Map<string, WorkQueue>();
const nextTurn = () => new Promise<void>((ok) => setImmediate(ok));

/**
 * Runs a request when less than 16 of its IPv4 address or IPv6 /64 run. Other requests get a turn of the event loop before one that
 * has waited.
 * @throws DomainError("unavailable") when too many wait or the wait is too long, and the signal's reason when its client has gone
 */
export async function inTurnOfAddress<T>(ip: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const [address] = networksOf(ip);
  const queue = addresses.get(address) ?? new WorkQueue(BOUNDS);
  addresses.set(address, queue);
  const waits = queue.running >= BOUNDS.parallel;
  try {
    return await queue.run(async () => {
      if (waits) await nextTurn();
      signal.throwIfAborted();
      return run();
    });
  } finally {
    if (queue.running === 0 && queue.waiting === 0) addresses.delete(address);
  }
}
