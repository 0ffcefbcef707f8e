/** Challenges with a verified code, until their next step ends them: a password, a new password, a registration. */
import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { type OtpPurpose, otpChallenges } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { openPayload, sealPayload } from "./one-time-code.server.ts";

/** Most passwords for a verified code. */
export const MAX_PASSWORDS = 3;

/** A verified challenge for its next step. */
export type VerifiedChallenge = { purpose: OtpPurpose; phone: Phone; passwordTries: number; verifiedAt: Date; payload: unknown };

const verifiedOne = (ctx: Ctx, idHash: string) =>
  and(
    eq(otpChallenges.idHash, idHash),
    isNull(otpChallenges.consumedAt),
    isNotNull(otpChallenges.verifiedAt),
    gt(otpChallenges.expiresAt, ctx.now),
  );

/** Reads a verified challenge without ending it; null when it is over or not verified. */
export async function readVerified(ctx: Ctx, idHash: string): Promise<VerifiedChallenge | null> {
  const [row] = await ctx.db.select().from(otpChallenges).where(verifiedOne(ctx, idHash));
  if (!row?.verifiedAt) return null;
  const { purpose, phone, passwordTries, verifiedAt } = row;
  return { purpose, phone, passwordTries, verifiedAt, payload: openPayload(row) };
}

/** Counts a wrong password of a verified challenge, in one statement. @returns its number; null when none is left */
export async function spendPasswordTry(ctx: Ctx, idHash: string): Promise<number | null> {
  const [row] = await ctx.db
    .update(otpChallenges)
    .set({ passwordTries: sql`${otpChallenges.passwordTries} + 1` })
    .where(and(verifiedOne(ctx, idHash), lt(otpChallenges.passwordTries, MAX_PASSWORDS)))
    .returning({ tries: otpChallenges.passwordTries });
  return row?.tries ?? null;
}

/** Refunds the attempt of a right password. */
export async function refundPasswordTry(ctx: Ctx, idHash: string): Promise<void> {
  await ctx.db
    .update(otpChallenges)
    .set({ passwordTries: sql`greatest(0, ${otpChallenges.passwordTries} - 1)` })
    .where(eq(otpChallenges.idHash, idHash));
}

/** Replaces the payload of a verified challenge. */
export async function changePayload(ctx: Ctx, idHash: string, payload: unknown): Promise<void> {
  await ctx.db
    .update(otpChallenges)
    .set({ payload: sealPayload(idHash, payload) })
    .where(verifiedOne(ctx, idHash));
}

/** Ends a verified challenge and returns its payload; null when another request was first, or it is not verified. */
export async function consumeVerified(ctx: Ctx, idHash: string): Promise<{ purpose: OtpPurpose; phone: Phone; payload: unknown } | null> {
  const [row] = await ctx.db.select().from(otpChallenges).where(verifiedOne(ctx, idHash)).for("update");
  if (!row) return null;
  const payload = openPayload(row);
  await ctx.db.update(otpChallenges).set({ consumedAt: ctx.now, payload: null }).where(verifiedOne(ctx, idHash));
  return { purpose: row.purpose, phone: row.phone, payload };
}
