import { and, eq, gt, lt, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { type Role, type SessionKind, sessions, users } from "#app/db/schema/index.ts";
import { hours } from "#app/lib/durations.ts";
import type { Language } from "#app/lib/language.ts";
import type { Actor, Ctx } from "../context.server.ts";

/** The live session with this token hash, of a person who may still log in; null otherwise. */
export async function findSession(
  ctx: Ctx,
  tokenHash: string,
): Promise<{ tokenHash: string; kind: SessionKind; userId: string; role: Role; language: Language | null } | null> {
  const query = hot(ctx.db, "find_session", (db) =>
    db
      .select({ tokenHash: sessions.tokenHash, kind: sessions.kind, userId: users.id, role: users.role, language: users.language })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(eq(sessions.tokenHash, sql.placeholder("token")), gt(sessions.expiresAt, sql.placeholder("now")), eq(users.status, "active")),
      )
      .limit(1)
      .prepare("find_session"),
  );
  const [row] = await query.execute({ token: tokenHash, now: ctx.now });
  return row ?? null;
}

/** Whose browser session with this token hash has expired; null for a live, unknown or ended one. Rows of logged-out sessions are deleted. */
export async function findEndedSession(ctx: Ctx, tokenHash: string): Promise<Actor | null> {
  if (await findSession(ctx, tokenHash)) return null;
  const [row] = await ctx.db
    .select({ userId: users.id, role: users.role })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.kind, "browser"), eq(users.status, "active")))
    .limit(1);
  return row ?? null;
}

/** Notes that a login was used, at most once an hour. */
export async function touchSession(ctx: Ctx, tokenHash: string): Promise<void> {
  const before = new Date(ctx.now.getTime() - hours(1));
  await ctx.db
    .update(sessions)
    .set({ lastSeenAt: ctx.now })
    .where(and(eq(sessions.tokenHash, tokenHash), lt(sessions.lastSeenAt, before)));
}
