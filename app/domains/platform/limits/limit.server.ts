import { and, asc, count, eq, gt, inArray, lt, min, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { rateLimits } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LIMITS, type LimitName } from "./limits.ts";
import { networksOf } from "./network.ts";

export type Spent = { ids: string[] };
/** An event to count: by key, by address, or by both together. */
export type LimitEvent = {
  limit: LimitName;
  key?: string;
  /** Counted by its networks (network.ts). */
  address?: string;
  /** Replaces the declared maximum. */
  max?: number;
};

/** A refusal by at least one limit. */
export class LimitRefusal extends DomainError {
  readonly limits: readonly LimitName[];
  constructor(refused: { limit: LimitName; wait: number }[], detail?: unknown) {
    const wait = Math.max(...refused.map((r) => r.wait));
    super("too-many", m.error_wait_seconds({ seconds: String(wait) }), { retryAfterSeconds: wait, detail });
    this.limits = refused.map((r) => r.limit);
  }
}

/** Returns the counter rows of an event. A key may be a phone or an address, so only its hash is stored. */
function counted({ limit, key, address, max }: LimitEvent): { limit: LimitName; key: string; max: number; per: number }[] {
  const declared: { max: number; per: number; wide?: number } = LIMITS[limit];
  const { per, wide = 4 } = declared;
  const most = max ?? declared.max;
  if (address === undefined) return [{ limit, key: `${limit}:${hashToken(key ?? "")}`, max: most, per }];
  return networksOf(address).map((network, i) => ({
    limit,
    key: `${limit}:${hashToken(key === undefined ? network : `${key}|${network}`)}`,
    max: i === 0 ? most : most * wide,
    per,
  }));
}

/**
 * Counts one event against each of the limits, all or none, in a separate transaction, so that it stays counted when the caller's
 * fails. Serializes processes that count the same key.
 * @throws LimitRefusal with the seconds until a retry can succeed
 */
export async function spendLimits(ctx: Ctx, events: LimitEvent[]): Promise<Spent> {
  const keyed = events.flatMap(counted).sort((a, b) => (a.key < b.key ? -1 : 1));
  return ctx.db.transaction(async (tx) => {
    await lockKeys(tx, keyed);
    const refused: { limit: LimitName; wait: number }[] = [];
    for (const { limit, key, max, per } of await findFull(tx, keyed, ctx.now))
      refused.push({ limit, wait: await waitFor(tx, key, { max, per }, ctx.now) });
    if (refused.length) throw new LimitRefusal(refused);
    const rows = await tx
      .insert(rateLimits)
      .values(keyed.map(({ key }) => ({ key, at: ctx.now })))
      .returning({ id: rateLimits.id });
    return { ids: rows.map((r) => r.id) };
  });
}

/** Counts the current events of this limit. */
export async function countSpent(ctx: Ctx, event: LimitEvent): Promise<number> {
  const counts = await Promise.all(
    counted(event).map(({ key, per }) =>
      ctx.db.$count(rateLimits, and(eq(rateLimits.key, key), gt(rateLimits.at, new Date(ctx.now.getTime() - per)))),
    ),
  );
  return Math.max(...counts);
}

type Counted = ReturnType<typeof counted>[number];

/** Locks all keys in their order with one statement, so that two requests never deadlock. */
async function lockKeys(tx: Db, keyed: Counted[]): Promise<void> {
  const keys = JSON.stringify(keyed.map(({ key }) => key));
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from (select key from jsonb_array_elements_text(${keys}::jsonb) with ordinality as k (key, place) order by place offset 0) ordered`);
}

/** Returns the limits that are full. */
async function findFull(tx: Db, keyed: Counted[], now: Date): Promise<Counted[]> {
  const asked = JSON.stringify(keyed.map(({ key, max, per }) => ({ key, max, since: new Date(now.getTime() - per) })));
  const rows = await tx.execute<{ key: string }>(sql`
    select k.key from jsonb_to_recordset(${asked}::jsonb) as k (key text, max int, since timestamptz)
    where (select count(*) from ${rateLimits} r where r.key = k.key and r.at > k.since) >= k.max`);
  const full = new Set([...rows].map((row) => row.key));
  return keyed.filter(({ key }) => full.has(key));
}

/** Removes counted events. For limits that count only failures. */
export async function refundLimits(ctx: Ctx, spent: Spent): Promise<void> {
  if (!spent.ids.length) return;
  await ctx.db.delete(rateLimits).where(inArray(rateLimits.id, spent.ids));
}

/** Returns the whole seconds until a full limit accepts an event again. */
async function waitFor(db: Db, key: string, limit: { max: number; per: number }, now: Date): Promise<number> {
  const since = new Date(now.getTime() - limit.per);
  const recent = and(eq(rateLimits.key, key), gt(rateLimits.at, since));
  const [row] = await db
    .select({ n: count(), first: min(rateLimits.at) })
    .from(rateLimits)
    .where(recent);
  if (!row) return 1;
  // The limit opens when the oldest of the last `max` events leaves the window.
  const [oldest] = await db
    .select({ at: rateLimits.at })
    .from(rateLimits)
    .where(recent)
    .orderBy(asc(rateLimits.at))
    .offset(row.n - limit.max)
    .limit(1);
  return Math.max(1, Math.ceil(((oldest?.at ?? now).getTime() + limit.per - now.getTime()) / 1000));
}

/** Deletes events older than the window of every limit. */
export async function sweepLimits(ctx: Ctx): Promise<void> {
  await ctx.db.delete(rateLimits).where(lt(rateLimits.at, new Date(ctx.now.getTime() - days(2))));
}
