import { and, eq } from "drizzle-orm";
import { type ProofMethod, sessions, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { findChallenge, startChallenge, verifyChallenge } from "./otp.server.ts";

const PURPOSE = "confirm-identity";
/** A code is valid for the session that requested it. */
type Payload = { userId: string; sessionHash: string };

async function phoneOf(ctx: Ctx<Actor>): Promise<Phone | null> {
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, ctx.actor.userId));
  return (user?.phone as Phone | null | undefined) ?? null;
}

/** Returns the last digits of the user's phone: "•••• 0103"; null without one. */
export async function getProofPhone(ctx: Ctx<Actor>): Promise<string | null> {
  const phone = await phoneOf(ctx);
  return phone && `•••• ${phone.slice(-4)}`;
}

/** Sends a code to the phone of the acting user. @throws DomainError("invalid" | "too-many" | "unavailable") */
export async function startCodeProof(ctx: Ctx<Actor>, sessionHash: string): Promise<{ challengeId: string; expiresAt: Date }> {
  const phone = await phoneOf(ctx);
  if (!phone) throw new DomainError("invalid", m.proof_no_phone());
  const { userId: key } = ctx.actor;
  const payload: Payload = { userId: key, sessionHash };
  const limits = [
    { limit: "proof-send-gap", key },
    { limit: "proof-send", key },
    { limit: "proof-send-day", key },
  ] as const;
  return startChallenge(ctx, { purpose: PURPOSE, phone, payload, own: { device: sessionHash, limits: [...limits] } });
}

/** Returns when the pending code of this session was sent and when it expires; null when there is none. */
export async function findCodeProof(
  ctx: Ctx<Actor>,
  sessionHash: string,
  challengeId: string | null,
): Promise<{ sentAt: Date; expiresAt: Date; usedUp: boolean } | null> {
  const challenge = await findChallenge(ctx, challengeId, PURPOSE);
  const payload = challenge?.payload as Payload | undefined;
  return challenge && payload?.userId === ctx.actor.userId && payload.sessionHash === sessionHash ? challenge : null;
}

/**
 * Confirms the identity of a session's user with the code sent to their phone.
 * @throws DomainError("invalid") at `otp`, "too-many"
 */
export async function proveByCode(
  ctx: Ctx<Actor>,
  input: { sessionHash: string; challengeId: string | null; code: string },
): Promise<void> {
  const { sessionHash, challengeId, code } = input;
  const expired = () => m.accounts_otp_expired_doctor();
  if (!challengeId || !(await findCodeProof(ctx, sessionHash, challengeId)))
    throw new DomainError("invalid", expired(), { fields: { otp: [expired()] } });
  // Outside the transaction, so that a wrong code stays counted.
  await verifyChallenge(ctx, { purposes: PURPOSE, idHash: hashToken(challengeId), code, consume: true, expired });
  await transact(ctx, (tx) => markProven(tx, sessionHash, "code"));
}

/** Stores a fresh proof for a session of the acting user, in the transaction of `ctx`. @throws DomainError("unauthenticated") */
export async function markProven(ctx: Ctx<Actor>, sessionHash: string, method: ProofMethod): Promise<void> {
  const { userId } = ctx.actor;
  const [proven] = await ctx.db
    .update(sessions)
    .set({ provenAt: ctx.now, provenBy: method })
    .where(and(eq(sessions.tokenHash, sessionHash), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  if (!proven) throw new DomainError("unauthenticated");
  await recordChange(ctx, "confirm-identity", { people: { user: userId }, details: { method } });
}
