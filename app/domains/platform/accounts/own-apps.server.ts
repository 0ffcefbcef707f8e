import { and, desc, eq } from "drizzle-orm";
import { sessions, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { OwnApp } from "#app/domains/platform/users/device.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { notifySessionsEnded } from "#app/realtime/channels.server.ts";
import { isLiveAt } from "./queries.server.ts";

const SHOWN = 20;
const LONGEST_NAME = 60;

/** Returns the apps with a live token of the actor, last used first; at most twenty. */
export async function listOwnApps(ctx: Ctx<Actor>): Promise<OwnApp[]> {
  const rows = await ctx.db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      since: sessions.createdAt,
      lastUsed: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, ctx.actor.userId), eq(sessions.kind, "api"), isLiveAt(ctx.now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(SHOWN);
  return rows.map(({ userAgent, ...row }) => ({ ...row, name: (userAgent ?? "").slice(0, LONGEST_NAME) }));
}

/** Revokes an app's token. Idempotent. @throws DomainError("not-found") for a malformed id */
export async function revokeOwnApp(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, userId), eq(sessions.kind, "api")))
      .returning({ tokenHash: sessions.tokenHash });
    if (!gone) return;
    await notifySessionsEnded(tx, gone);
    await recordChange(tx, "revoke-app", { people: { user: userId } });
  });
}
