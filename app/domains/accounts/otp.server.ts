/**
 * One-time codes. remix-auth-totp makes and checks them, but used as its README shows it is an account takeover
 * (design/trust.md, docs/decisions/003): its `_totp` jar therefore stays in our row, encrypted. The browser holds a
 * random id and nothing else, and no `_totp` cookie is ever read from it or sent to it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { Authenticator } from "remix-auth";
import { TOTPStrategy } from "remix-auth-totp";
import { type OtpPurpose, otpChallenges } from "#app/db/schema/index.ts";
import { env } from "#app/env.server.ts";
import { codeMessage } from "#app/integrations/sms/templates.ts";
import { decrypt, encrypt, hmac } from "#app/lib/crypto.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { hashToken, randomToken, sameSecret } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import type { Ctx } from "../context.server.ts";
import { spendLimits } from "../limits/limit.server.ts";

/** Spec 001 §9 and spec 000 §9, in seconds. */
const CODE_LIFE: Record<OtpPurpose, number> = { "patient-login": 120, "doctor-login": 300, "doctor-register": 300, "password-reset": 600 };
const MAX_WRONG = 5;

type Challenge = typeof otpChallenges.$inferSelect;
type Purposes = OtpPurpose | readonly OtpPurpose[];

/** Brings the code out of the strategy, which hands its callbacks a copy of our request. */
const made = new AsyncLocalStorage<{ code: string | null }>();

const known = new Map<string, Authenticator<void>>();
/** One strategy and one derived key per purpose, for each session secret in use. */
function strategies(secret: string): Authenticator<void> {
  const there = known.get(secret);
  if (there) return there;
  const authenticator = new Authenticator<void>();
  for (const [purpose, period] of Object.entries(CODE_LIFE))
    authenticator.use(
      new TOTPStrategy<void>(
        {
          secret: hmac("totp", secret, purpose),
          emailFieldKey: "phone",
          emailSentRedirect: "/sent",
          successRedirect: "/ok",
          failureRedirect: "/fail",
          totpGeneration: { period, digits: 6, charSet: "0123456789", algorithm: "SHA-256" },
          validateEmail: async (phone) => /^\+91\d{10}$/.test(phone),
          sendTOTP: async ({ code }) => {
            const note = made.getStore();
            if (note) note.code = code;
          },
        },
        async () => {},
      ),
      purpose,
    );
  known.set(secret, authenticator);
  return authenticator;
}

/** Calls a strategy with a request of our own making and catches the Response it throws. */
async function callStrategy(
  secret: string,
  purpose: OtpPurpose,
  form: Record<string, string>,
  jar?: string,
): Promise<{ place: string | null; jar: string; code: string | null }> {
  const note = { code: null };
  const request = new Request("http://internal.invalid/otp", {
    method: "POST",
    headers: jar ? { cookie: jar } : {},
    body: new URLSearchParams(form),
  });
  try {
    await made.run(note, () => strategies(secret).authenticate(purpose, request));
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    const own = thrown.headers
      .getSetCookie()
      .filter((c) => c.startsWith("_totp="))
      .at(-1);
    return { place: thrown.headers.get("location"), jar: own?.split(";")[0] ?? "", code: note.code };
  }
  throw new Error("the strategy did not answer");
}

const codeMac = (secret: string, purpose: OtpPurpose, idHash: string, code: string) =>
  hmac(`${idHash}|${code}`, secret, `otp-code|${purpose}`);
const sealed = (value: string, idHash: string, column: string) =>
  encrypt(value, env().encryptionKeys, `otp_challenges|${column}|${idHash}`);
const opened = (value: string, idHash: string, column: string) =>
  decrypt(value, env().encryptionKeys, `otp_challenges|${column}|${idHash}`);

/**
 * Sends a code to a phone and ends older live codes of that phone and purpose. Answers the same for known and unknown numbers.
 * @returns the id the browser keeps.
 * @throws DomainError("too-many" | "unavailable")
 */
export async function startChallenge(
  ctx: Ctx,
  input: { purpose: OtpPurpose; phone: Phone; payload?: unknown },
): Promise<{ challengeId: string; expiresAt: Date }> {
  const { purpose, phone } = input;
  await spendLimits(ctx, [
    { limit: "otp-send-gap", key: phone },
    { limit: "otp-send", key: phone },
    { limit: "otp-send-day", key: phone },
    { limit: "otp-send-address", key: ctx.ip },
  ]);
  const [secret] = env().sessionSecrets;
  const { place, code, jar } = await callStrategy(secret, purpose, { phone });
  if (place !== "/sent" || !code || !jar) throw new DomainError("unavailable", m.accounts_otp_send_failed());
  const challengeId = randomToken();
  const idHash = hashToken(challengeId);
  const expiresAt = new Date(ctx.now.getTime() + seconds(CODE_LIFE[purpose]));
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(otpChallenges)
      .set({ consumedAt: ctx.now, jar: "", payload: null })
      .where(and(eq(otpChallenges.phone, phone), eq(otpChallenges.purpose, purpose), isNull(otpChallenges.consumedAt)));
    await tx.insert(otpChallenges).values({
      idHash,
      purpose,
      phone,
      codeHmac: codeMac(secret, purpose, idHash, code),
      jar: sealed(jar, idHash, "jar"),
      payload: input.payload === undefined ? null : sealed(JSON.stringify(input.payload), idHash, "payload"),
      createdAt: ctx.now,
      expiresAt,
      ip: ctx.ip,
    });
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
  return { challengeId, expiresAt };
}

export type OpenChallenge = {
  purpose: OtpPurpose;
  phone: Phone;
  state: "waiting" | "verified" | "expired";
  expiresAt: Date;
  payload: unknown;
};

/** What a page shows about the challenge its browser holds; null when there is none, or it is over. */
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
    expiresAt: row.expiresAt,
    payload: row.payload ? JSON.parse(opened(row.payload, idHash, "payload")) : null,
  };
}

/** The newest live challenge of a phone that `fits`, for API calls that name only phone and code (design/trust.md). */
export async function findNewestChallenge(
  ctx: Ctx,
  phone: Phone,
  purposes: readonly OtpPurpose[],
  fits: (challenge: { ip: string | null; payload: unknown }) => boolean = () => true,
): Promise<{ idHash: string; state: "waiting" | "verified" } | null> {
  const rows = await ctx.db
    .select()
    .from(otpChallenges)
    .where(
      and(
        eq(otpChallenges.phone, phone),
        inArray(otpChallenges.purpose, [...purposes]),
        isNull(otpChallenges.consumedAt),
        gt(otpChallenges.expiresAt, ctx.now),
      ),
    )
    .orderBy(desc(otpChallenges.createdAt))
    .limit(purposes.length);
  const row = rows.find((r) => fits({ ip: r.ip, payload: r.payload ? JSON.parse(opened(r.payload, r.idHash, "payload")) : {} }));
  return row ? { idHash: row.idHash, state: row.verifiedAt ? "verified" : "waiting" } : null;
}

/**
 * Checks a code. The attempt is spent before anything is compared, in one statement, so that parallel guesses are counted;
 * five wrong ones end the challenge. With `consume` the right code also ends it: only one of many presses wins.
 * @throws DomainError("invalid") with the specification's sentence beside the `otp` field.
 */
export async function verifyChallenge(
  ctx: Ctx,
  input: { purposes: Purposes; idHash: string; code: string; consume: boolean; expired: () => string },
): Promise<Challenge> {
  const refuse = (sentence: string) => new DomainError("invalid", sentence, { fields: { otp: [sentence] } });
  await spendLimits(ctx, [{ limit: "otp-check-address", key: ctx.ip }]);
  if (!/^\d{6}$/.test(input.code)) throw refuse(m.accounts_code_invalid());
  const live = and(eq(otpChallenges.idHash, input.idHash), isNull(otpChallenges.consumedAt), isNull(otpChallenges.verifiedAt));
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
    throw refuse(dead && dead.expiresAt > ctx.now && dead.attempts >= MAX_WRONG ? m.accounts_otp_used_up() : input.expired());
  }
  // A code that was sent before the secret was rotated is still good.
  const secret = env().sessionSecrets.find((s) => sameSecret(row.codeHmac, codeMac(s, row.purpose, row.idHash, input.code)));
  if (!secret) throw refuse(m.accounts_otp_failed());
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
  return won;
}

/** Ends a verified challenge and gives what it held; null when another press was first, or it is not verified. */
export async function consumeVerified(ctx: Ctx, idHash: string): Promise<{ purpose: OtpPurpose; phone: Phone; payload: unknown } | null> {
  const [row] = await ctx.db.select().from(otpChallenges).where(eq(otpChallenges.idHash, idHash)).for("update");
  if (!row || row.consumedAt || !row.verifiedAt || row.expiresAt <= ctx.now) return null;
  const payload = row.payload ? JSON.parse(opened(row.payload, idHash, "payload")) : null;
  await ctx.db
    .update(otpChallenges)
    .set({ consumedAt: ctx.now, payload: null })
    .where(and(eq(otpChallenges.idHash, idHash), isNotNull(otpChallenges.verifiedAt)));
  return { purpose: row.purpose, phone: row.phone, payload };
}

/** Gives a challenge up ("Use a different number", "Edit Details"). */
export async function endChallenge(ctx: Ctx, challengeId: string): Promise<void> {
  await ctx.db
    .update(otpChallenges)
    .set({ consumedAt: ctx.now, jar: "", payload: null })
    .where(and(eq(otpChallenges.idHash, hashToken(challengeId)), isNull(otpChallenges.consumedAt)));
}

/** Forgets challenges a day after their end. */
export async function sweepChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.delete(otpChallenges).where(lt(otpChallenges.expiresAt, new Date(ctx.now.getTime() - seconds(86_400))));
}
