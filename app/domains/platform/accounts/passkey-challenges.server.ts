/** WebAuthn challenges: stored on the server, for one purpose and one browser, deleted by their first use. */
import { eq, lt } from "drizzle-orm";
import { type PasskeyPurpose, passkeyChallenges } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { spendLimits } from "../limits/limit.server.ts";

const LIFE = minutes(5);

/**
 * Stores a challenge. `sessionHash`: the only session that may answer it; null for a login.
 * @returns the token for the browser's cookie, without which the challenge cannot be used. @throws DomainError("too-many")
 */
export async function storePasskeyChallenge(
  ctx: Ctx,
  input: { purpose: PasskeyPurpose; challenge: string; sessionHash: string | null },
): Promise<string> {
  await spendLimits(ctx, [{ limit: "passkey-challenge", address: ctx.ip }]);
  const token = randomToken();
  await ctx.db
    .insert(passkeyChallenges)
    .values({ ...input, idHash: hashToken(token), createdAt: ctx.now, expiresAt: new Date(ctx.now.getTime() + LIFE) });
  return token;
}

/**
 * Deletes a challenge and returns it, whether the answer is right or not. @throws DomainError("invalid") when it is used, expired
 * or of another purpose or session
 */
export async function takePasskeyChallenge(
  ctx: Ctx,
  input: { token: string | null; purpose: PasskeyPurpose; sessionHash: string | null },
): Promise<string> {
  const [row] = input.token
    ? await ctx.db
        .delete(passkeyChallenges)
        .where(eq(passkeyChallenges.idHash, hashToken(input.token)))
        .returning()
    : [];
  if (!row || row.purpose !== input.purpose || row.sessionHash !== input.sessionHash || row.expiresAt <= ctx.now)
    throw new DomainError("invalid", m.passkeys_expired());
  return row.challenge;
}

/** Deletes challenges that were never answered. */
export async function sweepPasskeyChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, ctx.now));
}
