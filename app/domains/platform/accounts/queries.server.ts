import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { ROLES, type Role, SESSION_KINDS, type SessionKind, sessions, users } from "#app/db/schema/index.ts";
import { unreadOf } from "#app/db/schema/unread.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Language } from "#app/lib/language.ts";
import { SESSION_LIFETIMES } from "./session-lifetimes.ts";

export type LiveSession = {
  tokenHash: string;
  kind: SessionKind;
  userId: string;
  role: Role;
  language: Language | null;
  lastSeenAt: Date;
  expiresAt: Date;
  /** The user has to choose a stronger password (requireRole); doctors may do so later. */
  passwordWeakSince: Date | null;
  /** When the session's user last confirmed their identity (proof.ts). */
  provenAt: Date | null;
  /** Notifications at the begin of the request that the user has not read, for the frame of the page: at most 99. */
  unread: number;
};

/** SQL: the idle limit of a session from SESSION_LIFETIMES; null for none. */
const idleLimit = sql.join(
  [
    sql`case`,
    ...ROLES.flatMap((role) =>
      SESSION_KINDS.flatMap((kind) => {
        const { idle } = SESSION_LIFETIMES[role][kind];
        const limit = `interval '${(idle ?? 0) / 1000} seconds'`;
        return idle === null
          ? []
          : [sql`when ${users.role} = ${sql.raw(`'${role}'`)} and ${sessions.kind} = ${sql.raw(`'${kind}' then ${limit}`)}`];
      }),
    ),
    sql`end`,
  ],
  sql` `,
);

/** SQL: a session, joined with its user, that has neither expired nor been idle for too long. */
const isLive = (now: SQL): SQL => sql`(${sessions.expiresAt} > ${now} and coalesce(${sessions.lastSeenAt} + ${idleLimit} > ${now}, true))`;
export const isLiveAt = (now: Date): SQL => isLive(sql`${now.toISOString()}::timestamptz`);

/** Returns the live session with this token hash, if its user may log in; otherwise null. */
export async function findSession(ctx: Ctx, tokenHash: string): Promise<LiveSession | null> {
  const query = hot(ctx.db, "find_session", (db) =>
    db
      .select({
        tokenHash: sessions.tokenHash,
        kind: sessions.kind,
        userId: users.id,
        role: users.role,
        language: users.language,
        lastSeenAt: sessions.lastSeenAt,
        expiresAt: sessions.expiresAt,
        passwordWeakSince: users.passwordWeakSince,
        provenAt: sessions.provenAt,
        unread: unreadOf(users.id),
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.tokenHash, sql.placeholder("token")),
          isLive(sql`${sql.placeholder("now")}::timestamptz`),
          eq(users.status, "active"),
        ),
      )
      .limit(1)
      .prepare("find_session"),
  );
  const [row] = await query.execute({ token: tokenHash, now: ctx.now.toISOString() });
  return row ?? null;
}

/**
 * Returns the user of the browser session with this token hash that has expired, or was ended from another device; null for a live or unknown one.
 * Logout deletes the row.
 */
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

/** Returns which of these token hashes belong to live sessions of active users. */
export async function findLiveSessions(ctx: Ctx, tokenHashes: string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.tokenHash, tokenHashes), isLiveAt(ctx.now), eq(users.status, "active")));
  return new Set(rows.map((row) => row.tokenHash));
}

/** Stores the last use of a session, at most once in the `seenEvery` of its lifetime. Returns the current session. */
export async function touchSession(ctx: Ctx, session: LiveSession): Promise<LiveSession> {
  const before = new Date(ctx.now.getTime() - SESSION_LIFETIMES[session.role][session.kind].seenEvery);
  if (session.lastSeenAt > before) return session;
  await ctx.db
    .update(sessions)
    .set({ lastSeenAt: ctx.now })
    .where(and(eq(sessions.tokenHash, session.tokenHash), lt(sessions.lastSeenAt, ctx.now)));
  return { ...session, lastSeenAt: ctx.now };
}
