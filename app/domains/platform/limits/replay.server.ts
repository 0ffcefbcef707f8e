/**
 * Idempotent API calls. An app that does not know whether its call arrived sends it again with the same Idempotency-Key: the
 * command runs once, and the second call gets the first response.
 */
import { and, eq, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { apiReplays } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { decrypt, encrypt, isSealedByFirst } from "#app/lib/crypto.server.ts";
import { hours, minutes, seconds } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** How long a response is stored. */
const REPLAY_LIFE = hours(24);
/** After this long, assume a crash: the key can be claimed again. */
const LONGEST_CALL = minutes(2);
/** How long a second call waits for the first. */
const PATIENCE = seconds(8);

export type Answered = { fingerprint: string; status: number; body: unknown };

const rowOf = (ctx: Ctx<Actor>, keyHash: string) => and(eq(apiReplays.userId, ctx.actor.userId), eq(apiReplays.keyHash, keyHash));
const placeOf = (userId: string, keyHash: string) => `api_replays|${userId}|${keyHash}`;

/** Claims a key of the actor for this call; false when another call has it, or has been answered. */
export async function claimReplay(ctx: Ctx<Actor>, input: { key: string; call: string }): Promise<boolean> {
  const fresh = { call: input.call, fingerprint: null, status: null, body: null, createdAt: ctx.now, finishedAt: null };
  const rows = await ctx.db
    .insert(apiReplays)
    .values({ userId: ctx.actor.userId, keyHash: hashToken(input.key), ...fresh })
    .onConflictDoUpdate({
      target: [apiReplays.userId, apiReplays.keyHash],
      set: fresh,
      setWhere: or(
        lt(apiReplays.createdAt, new Date(ctx.now.getTime() - REPLAY_LIFE)),
        and(isNull(apiReplays.status), lt(apiReplays.createdAt, new Date(ctx.now.getTime() - LONGEST_CALL))),
      ),
    })
    .returning({ keyHash: apiReplays.keyHash });
  return rows.length > 0;
}

/** Stores the response of the call that has the key. */
export async function settleReplay(ctx: Ctx<Actor>, key: string, answered: Answered): Promise<void> {
  const keyHash = hashToken(key);
  await ctx.db
    .update(apiReplays)
    .set({
      fingerprint: answered.fingerprint,
      status: answered.status,
      body: encrypt(JSON.stringify(answered.body), env().encryptionKeys, placeOf(ctx.actor.userId, keyHash)),
      finishedAt: ctx.now,
    })
    .where(rowOf(ctx, keyHash));
}

/** Releases a key, because its call failed and may be retried. */
export async function releaseReplay(ctx: Ctx<Actor>, key: string): Promise<void> {
  await ctx.db.delete(apiReplays).where(and(rowOf(ctx, hashToken(key)), isNull(apiReplays.status)));
}

/**
 * Waits for the response of the call that has the key. Null: the key was released, the call still runs, or its response cannot be
 * decrypted any more.
 */
export async function awaitReplay(ctx: Ctx<Actor>, key: string): Promise<(Answered & { call: string }) | null> {
  const keyHash = hashToken(key);
  for (let waited = 0, pause = 50; ; waited += pause, pause = Math.min(400, pause * 2)) {
    const [row] = await ctx.db.select().from(apiReplays).where(rowOf(ctx, keyHash));
    if (!row) return null;
    if (row.status !== null && row.fingerprint !== null && row.body !== null) {
      try {
        const body: unknown = JSON.parse(decrypt(row.body, env().encryptionKeys, placeOf(ctx.actor.userId, keyHash)));
        return { call: row.call, fingerprint: row.fingerprint, status: row.status, body };
      } catch {
        return null;
      }
    }
    if (waited >= PATIENCE) return null;
    await new Promise((ok) => setTimeout(ok, pause));
  }
}

/** Deletes expired responses. */
export async function sweepReplays(ctx: Ctx): Promise<void> {
  await ctx.db.delete(apiReplays).where(lt(apiReplays.createdAt, new Date(ctx.now.getTime() - REPLAY_LIFE)));
}

/** Encrypts the stored responses again with the first key. @throws when no key of the list decrypts one */
export async function resealReplays(db: Db): Promise<number> {
  const keys = env().encryptionKeys;
  const rows = await db
    .select({ userId: apiReplays.userId, keyHash: apiReplays.keyHash, body: apiReplays.body })
    .from(apiReplays)
    .where(isNotNull(apiReplays.body));
  let count = 0;
  for (const { userId, keyHash, body } of rows) {
    if (body === null || isSealedByFirst(body, keys)) continue;
    const place = placeOf(userId, keyHash);
    const same = and(eq(apiReplays.userId, userId), eq(apiReplays.keyHash, keyHash), eq(apiReplays.body, body));
    count += (
      await db
        .update(apiReplays)
        .set({ body: encrypt(decrypt(body, keys, place), keys, place) })
        .where(same)
    ).count;
  }
  return count;
}
