import { and, desc, eq, ne, sql } from "drizzle-orm";
import { sessions, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { deviceOf, type OwnSession } from "#app/domains/platform/users/device.ts";
import { isLiveAt } from "./queries.server.ts";
import { expireSessions } from "./sessions.server.ts";

const SHOWN = 20;

/** Returns the actor's browser sessions: this one first, then the newest. Does not return hashes. */
export async function listOwnSessions(ctx: Ctx<Actor>, tokenHash: string): Promise<{ rows: OwnSession[]; total: number }> {
  const rows = await ctx.db
    .select({
      tokenHash: sessions.tokenHash,
      userAgent: sessions.userAgent,
      since: sessions.createdAt,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, ctx.actor.userId), eq(sessions.kind, "browser"), isLiveAt(ctx.now)))
    .orderBy(desc(eq(sessions.tokenHash, tokenHash)), desc(sessions.createdAt))
    .limit(SHOWN);
  return {
    rows: rows.map((row) => ({ device: deviceOf(row.userAgent), since: row.since, current: row.tokenHash === tokenHash })),
    total: rows[0]?.total ?? 0,
  };
}

/** Ends all other sessions of the actor, also of apps. @returns their number */
export function endOtherSessions(ctx: Ctx<Actor>, tokenHash: string): Promise<number> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const ended = await endOtherSessionsOf(tx, userId, tokenHash);
    await recordChange(tx, "end-other-sessions", { people: { user: userId }, details: { sessionsEnded: ended } });
    return ended;
  });
}

/** Ends every session of a user but one, in the transaction of `ctx`. @returns their number */
export const endOtherSessionsOf = (ctx: Ctx, userId: string, tokenHash: string): Promise<number> =>
  expireSessions(ctx, and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash)));
