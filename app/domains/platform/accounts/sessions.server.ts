import { and, eq, gt, inArray, isNull, lt, type SQL } from "drizzle-orm";
import { otpChallenges, type ProofMethod, pushSubscriptions, type SessionKind, sessions } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { notifySessionsEnded } from "#app/realtime/channels.server.ts";
import { SESSION_LIFETIMES } from "./session-lifetimes.ts";
import { sweepUnsentForms } from "./unsent-form.server.ts";

/** Lifetime of the cookie: that of the longest session. The server decides when a session ends. */
export const SESSION_LIFE = days(30);

/**
 * How long the row of an expired session is stored, so that a form posted after its end finds its account (docs/decisions/042). So is one that its
 * user ended from another device.
 */
export const ENDED_SESSION_STORED = days(7);

/**
 * Creates a session with a new random token (never one from the browser) and returns the token. Stores only its hash.
 * @param kind `api`: a bearer token of an app, which opens no page
 * @param proof how the user confirmed their identity; it counts as a fresh proof for the next minutes (proof.ts)
 */
export async function openSession(
  ctx: Ctx,
  who: Actor,
  userAgent: string,
  kind: SessionKind = "browser",
  proof: ProofMethod = "login",
): Promise<string> {
  const token = randomToken();
  await ctx.db.insert(sessions).values({
    tokenHash: hashToken(token),
    kind,
    userId: who.userId,
    createdAt: ctx.now,
    lastSeenAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + SESSION_LIFETIMES[who.role][kind].absolute),
    ip: ctx.ip,
    userAgent: userAgent.slice(0, 300),
    provenAt: ctx.now,
    provenBy: proof,
  });
  const details = proof === "passkey" ? { method: proof } : {};
  await recordChange({ ...ctx, actor: who }, "log-in", { people: { user: who.userId }, details });
  return token;
}

/** Ends every session of a user, in the transaction of `ctx`. @returns their number */
export async function endSessionsOf(ctx: Ctx, userId: string): Promise<number> {
  const gone = await ctx.db.delete(sessions).where(eq(sessions.userId, userId)).returning({ expiresAt: sessions.expiresAt });
  await notifySessionsEnded(ctx, { userId });
  return gone.filter(({ expiresAt }) => expiresAt > ctx.now).length;
}

/** Ends sessions of a user as if they had expired now, in the transaction of `ctx`. @returns their number */
export async function expireSessions(ctx: Ctx, those: SQL | undefined): Promise<number> {
  const ended = await ctx.db
    .update(sessions)
    .set({ expiresAt: ctx.now, unsentForm: null })
    .where(and(those, gt(sessions.expiresAt, ctx.now)))
    .returning({ tokenHash: sessions.tokenHash });
  if (ended.length === 0) return 0;
  await ctx.db.delete(pushSubscriptions).where(
    inArray(
      pushSubscriptions.sessionHash,
      ended.map(({ tokenHash }) => tokenHash),
    ),
  );
  // Every server process closes their sockets after the commit.
  for (const one of ended) await notifySessionsEnded(ctx, one);
  return ended.length;
}

/** Ends all sessions of all users, and logins in progress. Users may log in again. @returns the number of sessions */
export async function endAllSessions(ctx: Ctx): Promise<number> {
  return transact(ctx, async (tx) => {
    const { count } = await tx.db.delete(sessions);
    await tx.db.update(otpChallenges).set({ consumedAt: tx.now }).where(isNull(otpChallenges.consumedAt));
    await notifySessionsEnded(tx, { everybody: true });
    await recordChange(tx, "end-all-sessions", { subject: { session: "all" }, details: { sessionsEnded: count } });
    return count;
  });
}

/** Ends a session. Idempotent. */
export async function endSession(ctx: Ctx, tokenHash: string): Promise<void> {
  const [gone] = await ctx.db
    .delete(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ userId: sessions.userId, expiresAt: sessions.expiresAt });
  if (!gone || gone.expiresAt <= ctx.now) return;
  await notifySessionsEnded(ctx, { tokenHash });
  await recordChange(ctx, "log-out", { people: { user: gone.userId } });
}

/** Deletes sessions that expired a week ago. */
export async function sweepSessions(ctx: Ctx): Promise<void> {
  await ctx.db.delete(sessions).where(lt(sessions.expiresAt, new Date(ctx.now.getTime() - ENDED_SESSION_STORED)));
  await sweepUnsentForms(ctx);
}
