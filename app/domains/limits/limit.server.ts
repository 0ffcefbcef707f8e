import { and, asc, count, eq, gt, inArray, lt, min, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { rateLimits } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Ctx } from "../context.server.ts";
import { LIMITS, type LimitName } from "./limits.ts";

export type Spent = { ids: string[] };

/**
 * Counts one event against each of the named limits, all or none, in a transaction of its own so that it stays counted
 * whatever happens next. Two processes counting the same key wait for each other.
 * @throws DomainError("too-many") with the seconds until a try makes sense.
 */
export async function spendLimits(ctx: Ctx, events: { limit: LimitName; key: string }[]): Promise<Spent> {
  // A key may be a phone or an address: only its hash is kept.
  const keyed = events.map((e) => ({ ...e, key: `${e.limit}:${hashToken(e.key)}` })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return ctx.db.transaction(async (tx) => {
    for (const { key } of keyed) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    for (const { limit, key } of keyed) {
      const wait = await waitFor(tx, key, LIMITS[limit], ctx.now);
      if (wait > 0) throw new DomainError("too-many", m.error_wait_seconds({ seconds: String(wait) }), { retryAfterSeconds: wait });
    }
    const rows = await tx
      .insert(rateLimits)
      .values(keyed.map(({ key }) => ({ key, at: ctx.now })))
      .returning({ id: rateLimits.id });
    return { ids: rows.map((r) => r.id) };
  });
}

/** Takes counted events back, where only failures count and this was none. */
export async function refundLimits(ctx: Ctx, spent: Spent): Promise<void> {
  await ctx.db.delete(rateLimits).where(inArray(rateLimits.id, spent.ids));
}

/** Whole seconds to wait, 0 for none. */
async function waitFor(db: Db, key: string, limit: { max: number; per: number }, now: Date): Promise<number> {
  const since = new Date(now.getTime() - limit.per);
  const recent = and(eq(rateLimits.key, key), gt(rateLimits.at, since));
  const [row] = await db
    .select({ n: count(), first: min(rateLimits.at) })
    .from(rateLimits)
    .where(recent);
  if (!row || row.n < limit.max) return 0;
  // The window opens when the oldest of the last `max` events falls out of it.
  const [oldest] = await db
    .select({ at: rateLimits.at })
    .from(rateLimits)
    .where(recent)
    .orderBy(asc(rateLimits.at))
    .offset(row.n - limit.max)
    .limit(1);
  return Math.max(1, Math.ceil(((oldest?.at ?? now).getTime() + limit.per - now.getTime()) / 1000));
}

/** Forgets events that no limit looks at any more. */
export async function sweepLimits(ctx: Ctx): Promise<void> {
  await ctx.db.delete(rateLimits).where(lt(rateLimits.at, new Date(ctx.now.getTime() - days(2))));
}
