import { LRUCache } from "lru-cache";
import { networksOf } from "#app/domains/platform/limits/network.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { m } from "#app/paraglide/messages.js";

type Window = { since: number; count: number };
const windows = ofDatabase(new LRUCache<string, Window>({ max: 10_000 }));

/**
 * Counts a call of a user or an address within a fixed window, in this process only: a database row for each read would cost more
 * than the read. @throws DomainError("too-many")
 */
export function countCall(limit: { max: number; per: number }, who: string, now: Date): void {
  const at = now.getTime();
  let window = windows.get(who);
  // Calls may be counted out of order. Only a clock set back by a whole window starts a new one.
  if (!window || Math.abs(at - window.since) >= limit.per) {
    window = { since: at, count: 0 };
    windows.set(who, window);
  }
  window.count += 1;
  if (window.count <= limit.max) return;
  const wait = Math.max(1, Math.ceil((window.since + limit.per - at) / 1000));
  throw new DomainError("too-many", m.error_wait_seconds({ seconds: String(wait) }), { retryAfterSeconds: wait });
}

/**
 * Counts a call of an address by its networks: the /48 of an IPv6 address may make four times as many.
 * @param of what is counted apart from other calls
 * @throws DomainError("too-many")
 */
export function countAddress(limit: { max: number; per: number }, address: string, now: Date, of = "call"): void {
  for (const [i, network] of networksOf(address).entries())
    countCall({ ...limit, max: i === 0 ? limit.max : limit.max * 4 }, `${of} ${network}`, now);
}
