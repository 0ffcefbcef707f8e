/** Challenges: a one-time code sent to a phone, and its verification (one-time-code.server.ts creates and stores the code). */
import { and, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { type OtpPurpose, otpChallenges } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { codeMessage } from "#app/integrations/sms/templates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { hashToken, randomToken, sameSecret } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { type FailedLogin, recordFailedLogin } from "../audit/record-refusal.server.ts";
import { type LimitEvent, refundLimits, type Spent, spendLimits } from "../limits/limit.server.ts";
import { sameNetwork } from "../limits/network.ts";
import { spendSend } from "./code-limits.server.ts";
import { knownDevice } from "./known-device.server.ts";
import { CODE_LIFE, callStrategy, codeMac, opened, openPayload, sealed, sealPayload } from "./one-time-code.server.ts";

const MAX_WRONG = 5;

type Challenge = typeof otpChallenges.$inferSelect;
type Purposes = OtpPurpose | readonly OtpPurpose[];

/**
 * Sends a code to a phone. Live codes of other browsers for that phone stay valid: each challenge has its own. Returns the same
 * for known and unknown numbers. Counts nothing when the provider fails.
 * @param input.replaces the caller's own challenge id, which ends when the new code is sent.
 * @param input.ticket from an earlier refusal with a wait (code-limits.server.ts).
 * @param input.prepare creates the payload, after the limits are charged.
 * @param input.own for a logged-in user: the session in place of a known device, and its own limits
 * @returns the id for the browser.
 * @throws DomainError("too-many" | "unavailable")
 */
export async function startChallenge(
  ctx: Ctx,
  input: {
    purpose: OtpPurpose;
    phone: Phone;
    payload?: unknown;
    prepare?: () => Promise<unknown>;
    replaces?: string | null;
    ticket?: string | null;
    slowed?: LimitEvent[];
    own?: { device: string; limits: LimitEvent[] };
  },
): Promise<{ challengeId: string; expiresAt: Date }> {
  const { purpose, phone } = input;
  const device = input.own?.device ?? knownDevice(ctx, purpose, phone);
  const before = input.replaces ? await ownChallenge(ctx, input.replaces, purpose, phone) : null;
  const spent = input.own
    ? await spendLimits(ctx, input.own.limits)
    : await spendSend(ctx, {
        purpose,
        phone,
        device,
        usedUp: before?.usedUp ? before.idHash : null,
        ticket: input.ticket ?? null,
        slowed: input.slowed ?? [],
      });
  const challengeId = randomToken();
  try {
    const payload = input.prepare ? await input.prepare() : input.payload;
    const expiresAt = await sendCode(ctx, { purpose, phone, payload, device, challengeId });
    if (input.replaces) await endChallenge(ctx, input.replaces);
    return { challengeId, expiresAt };
  } catch (error) {
    await refundLimits(ctx, spent);
    throw error;
  }
}

/** Returns the challenge that the caller is about to replace; null if it is over or belongs to another phone. */
async function ownChallenge(ctx: Ctx, challengeId: string, purpose: OtpPurpose, phone: Phone) {
  const idHash = hashToken(challengeId);
  const [row] = await ctx.db
    .select({ attempts: otpChallenges.attempts })
    .from(otpChallenges)
    .where(
      and(
        eq(otpChallenges.idHash, idHash),
        eq(otpChallenges.phone, phone),
        eq(otpChallenges.purpose, purpose),
        isNull(otpChallenges.consumedAt),
      ),
    );
  return row ? { idHash, usedUp: row.attempts >= MAX_WRONG } : null;
}

async function sendCode(
  ctx: Ctx,
  {
    purpose,
    phone,
    payload,
    device,
    challengeId,
  }: { purpose: OtpPurpose; phone: Phone; payload: unknown; device: string | null; challengeId: string },
): Promise<Date> {
  const [secret] = env().sessionSecrets;
  const { place, code, jar } = await callStrategy(secret, purpose, { phone });
  if (place !== "/sent" || !code || !jar) throw new DomainError("unavailable", m.accounts_otp_send_failed());
  const idHash = hashToken(challengeId);
  const expiresAt = new Date(ctx.now.getTime() + seconds(CODE_LIFE[purpose]));
  await ctx.db.insert(otpChallenges).values({
    idHash,
    purpose,
    phone,
    codeHmac: codeMac(secret, purpose, idHash, code),
    jar: sealed(jar, idHash, "jar"),
    payload: payload === undefined ? null : sealPayload(idHash, payload),
    createdAt: ctx.now,
    expiresAt,
    ip: ctx.ip,
    device,
  });
  try {
    await ctx.integrations.sms.send(
      codeMessage({
        to: phone,
        code,
        minutes: Math.round(CODE_LIFE[purpose] / 60),
        host: env().appUrl.hostname,
        language: language(),
        template: purpose === "password-reset" ? "reset-code" : "code",
      }),
    );
  } catch (cause) {
    await endChallenge(ctx, challengeId);
    throw new DomainError("unavailable", m.accounts_otp_send_failed(), { cause });
  }
  return expiresAt;
}

export type OpenChallenge = {
  purpose: OtpPurpose;
  phone: Phone;
  state: "waiting" | "verified" | "expired";
  sentAt: Date;
  expiresAt: Date;
  /** Five wrong codes ended it: the user needs a new code. */
  usedUp: boolean;
  /** Wrong passwords since the code was verified. */
  passwordTries: number;
  payload: unknown;
};

/** Returns the challenge of a browser for its page; null when there is none, or it is over. */
export async function findChallenge(ctx: Ctx, challengeId: string | null, purposes: Purposes): Promise<OpenChallenge | null> {
  if (!challengeId) return null;
  const idHash = hashToken(challengeId);
  const [row] = await ctx.db
    .select()
    .from(otpChallenges)
    .where(and(eq(otpChallenges.idHash, idHash), isNull(otpChallenges.consumedAt)));
  if (!row || ![purposes].flat().includes(row.purpose)) return null;
  const state = row.expiresAt <= ctx.now ? "expired" : row.verifiedAt ? "verified" : "waiting";
  return {
    purpose: row.purpose,
    phone: row.phone,
    state,
    sentAt: row.createdAt,
    expiresAt: row.expiresAt,
    usedUp: !row.verifiedAt && row.attempts >= MAX_WRONG,
    passwordTries: row.passwordTries,
    payload: openPayload(row),
  };
}

/** A challenge found by the API. */
export type FoundChallenge = { idHash: string; state: "waiting" | "verified"; verifiedAt: Date | null };

/**
 * Returns the live challenge that an app continues: by its opaque id, otherwise (the specification's calls have only phone and
 * code) the newest one requested from the caller's network.
 */
export async function findAppChallenge(
  ctx: Ctx,
  input: { phone: Phone; purposes: readonly OtpPurpose[]; challengeId?: string | undefined; fits?: (payload: unknown) => boolean },
): Promise<FoundChallenge | null> {
  const { challengeId, fits = () => true } = input;
  const rows = await ctx.db
    .select()
    .from(otpChallenges)
    .where(
      and(
        eq(otpChallenges.phone, input.phone),
        inArray(otpChallenges.purpose, [...input.purposes]),
        isNull(otpChallenges.consumedAt),
        gt(otpChallenges.expiresAt, ctx.now),
        challengeId === undefined ? undefined : eq(otpChallenges.idHash, hashToken(challengeId)),
      ),
    )
    .orderBy(desc(otpChallenges.createdAt))
    .limit(100);
  const row = rows.find((r) => (challengeId !== undefined || sameNetwork(r.ip, ctx.ip)) && fits(openPayload(r) ?? {}));
  return row ? { idHash: row.idHash, state: row.verifiedAt ? "verified" : "waiting", verifiedAt: row.verifiedAt } : null;
}

/**
 * Verifies a code. Counts the attempt before comparing, in one statement, so that parallel guesses are counted. Five wrong codes
 * end the challenge. Guesses of unknown devices also share one budget for each phone, over all its live challenges. With
 * `consume` the right code also ends it: one of several concurrent requests succeeds.
 * @throws DomainError("invalid") with the specification's sentence at the `otp` field; DomainError("too-many")
 */
export async function verifyChallenge(
  ctx: Ctx,
  input: { purposes: Purposes; idHash: string; code: string; consume: boolean; expired: () => string },
): Promise<Challenge> {
  const refuse = (sentence: string, usedUp = false) =>
    new DomainError("invalid", sentence, { fields: { otp: [sentence] }, ...(usedUp && { detail: { usedUp } }) });
  const live = and(eq(otpChallenges.idHash, input.idHash), isNull(otpChallenges.consumedAt), isNull(otpChallenges.verifiedAt));
  const [known] = await ctx.db.select({ phone: otpChallenges.phone, device: otpChallenges.device }).from(otpChallenges).where(live);
  const device = known?.device ?? null;
  const checked = await spendLimits(ctx, [
    device === null ? { limit: "otp-check-address", address: ctx.ip } : { limit: "otp-check-known", key: `${known?.phone}|${device}` },
  ]);
  if (!/^\d{6}$/.test(input.code)) throw refuse(m.accounts_code_invalid());
  const [row] = await ctx.db
    .update(otpChallenges)
    .set({ attempts: sql`${otpChallenges.attempts} + 1` })
    .where(and(live, gt(otpChallenges.expiresAt, ctx.now), lt(otpChallenges.attempts, MAX_WRONG)))
    .returning();
  if (!row || ![input.purposes].flat().includes(row.purpose)) {
    const [dead] = await ctx.db
      .select({ attempts: otpChallenges.attempts, expiresAt: otpChallenges.expiresAt })
      .from(otpChallenges)
      .where(live);
    recordFailedLogin(ctx, () => deadCode(ctx, input.idHash));
    const usedUp = dead !== undefined && dead.expiresAt > ctx.now && dead.attempts >= MAX_WRONG;
    throw refuse(usedUp ? m.accounts_otp_used_up() : input.expired(), usedUp);
  }
  const guessed = await spendGuess(ctx, row);
  // Codes sent before the rotation of the secret stay valid.
  const secret = env().sessionSecrets.find((s) => sameSecret(row.codeHmac, codeMac(s, row.purpose, row.idHash, input.code)));
  if (!secret) {
    recordFailedLogin(ctx, { result: "wrong-code", ...accountOf(row) });
    throw refuse(m.accounts_otp_failed(), row.attempts >= MAX_WRONG);
  }
  const answer = await callStrategy(secret, row.purpose, { code: input.code }, opened(row.jar, row.idHash, "jar"));
  if (answer.place !== "/ok") throw refuse(input.expired());
  const [won] = await ctx.db
    .update(otpChallenges)
    .set(
      input.consume
        ? { verifiedAt: ctx.now, consumedAt: ctx.now, jar: "", payload: null }
        : { verifiedAt: ctx.now, expiresAt: new Date(ctx.now.getTime() + seconds(CODE_LIFE[row.purpose])), jar: "" },
    )
    .where(live)
    .returning();
  if (!won) throw refuse(input.expired());
  await refundLimits(ctx, { ids: [...checked.ids, ...guessed.ids] });
  return won;
}

/** Returns the account of a code for the audit log. */
function accountOf(row: Challenge): Omit<FailedLogin, "result"> {
  const { email, userId } = (openPayload(row) ?? {}) as { email?: string; userId?: string };
  return { purpose: row.purpose, phone: row.phone, email, userId };
}

/** Returns why a challenge accepts no code any more; null for an unknown id. */
async function deadCode(ctx: Ctx, idHash: string): Promise<FailedLogin | null> {
  const [row] = await ctx.db.select().from(otpChallenges).where(eq(otpChallenges.idHash, idHash));
  if (!row) return null;
  const usedUp = row.consumedAt !== null || row.verifiedAt !== null || row.attempts >= MAX_WRONG;
  return { result: usedUp ? "used-up-code" : "expired-code", ...accountOf(row) };
}

/** Counts a guess of an unknown device in the budget of the phone. A refused guess is not compared and uses no attempt. */
async function spendGuess(ctx: Ctx, row: Challenge): Promise<Spent> {
  if (row.device !== null) return { ids: [] };
  try {
    return await spendLimits(ctx, [
      { limit: "otp-guess-share", key: row.phone, address: ctx.ip },
      { limit: "otp-guess", key: row.phone },
      { limit: "otp-guess-day", key: row.phone },
    ]);
  } catch (error) {
    await ctx.db
      .update(otpChallenges)
      .set({ attempts: sql`${otpChallenges.attempts} - 1` })
      .where(eq(otpChallenges.idHash, row.idHash));
    throw error;
  }
}

/** Ends a challenge ("Use a different number", "Edit Details"). */
export async function endChallenge(ctx: Ctx, challengeId: string): Promise<void> {
  await ctx.db
    .update(otpChallenges)
    .set({ consumedAt: ctx.now, jar: "", payload: null })
    .where(and(eq(otpChallenges.idHash, hashToken(challengeId)), isNull(otpChallenges.consumedAt)));
}

/** Deletes challenges a day after their end. */
export async function sweepChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.delete(otpChallenges).where(lt(otpChallenges.expiresAt, new Date(ctx.now.getTime() - seconds(86_400))));
}
