/** The login and registration of doctors in three API calls (spec 000 §7): send a code, verify it, send the password. */

import type { Ctx } from "#app/domains/context.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { sameSecret } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import {
  type DoctorAuthMode,
  type DoctorAuthPayload,
  type DoctorAuthResult,
  findStaff,
  finishDoctorAuth,
  PURPOSES,
  purposeOf,
  type Started,
  statusOf,
  verifyDoctorCode,
} from "./doctor-auth.server.ts";
import { findAppChallenge, startChallenge } from "./otp.server.ts";
import { readVerified } from "./verified-challenges.server.ts";

/** An app that does not send the token of its verified challenge may continue from the same network within this time. */
const APP_WINDOW = minutes(2);

/**
 * First call of an app: sends a code. The response reveals nothing about accounts. @throws DomainError("too-many" |
 * "unavailable")
 */
export async function startDoctorAuthInApp(
  ctx: Ctx,
  input: { mode: DoctorAuthMode; email: string; mobile: Phone; ticket?: string | null },
): Promise<Started> {
  const { mode, email, mobile, ticket = null } = input;
  const payload: DoctorAuthPayload = { mode, email, passwordRight: false, checked: null, newPasswordHash: null, tries: [], inApp: true };
  return startChallenge(ctx, { purpose: purposeOf(mode), phone: mobile, payload, ticket });
}

/** Returns the challenge that an app continues: the one it names, or the newest of its network. */
const findInApp = (ctx: Ctx, input: { email: string; mobile: Phone; challengeId?: string | undefined }) =>
  findAppChallenge(ctx, {
    phone: input.mobile,
    purposes: PURPOSES,
    challengeId: input.challengeId,
    fits: (payload) => {
      const { email, inApp } = payload as DoctorAuthPayload;
      return inApp === true && email === input.email;
    },
  });

/** Returns the one-time secret of a verified challenge. It identifies the challenge and ends with it. */
const verificationTokenOf = (idHash: string, verifiedAt: Date, secret: string) =>
  `${idHash}.${hmac(`${idHash}|${verifiedAt.getTime()}`, secret, "verified-challenge")}`;

/**
 * Second call of an app. Returns whether the account exists, because the caller has verified the phone.
 * @returns `verificationToken`: the one-time secret for the third call
 * @throws DomainError("invalid" | "too-many")
 */
export async function verifyDoctorCodeInApp(
  ctx: Ctx,
  input: { email: string; mobile: Phone; code: string; challengeId?: string | undefined },
): Promise<{ isExisting: boolean; registrationStatus: RegistrationStatus | null; verificationToken: string }> {
  const challenge = await findInApp(ctx, input);
  const expired = m.accounts_otp_expired_doctor();
  if (!challenge) throw new DomainError("invalid", expired, { fields: { otp: [expired] } });
  const { verifiedAt } = await verifyDoctorCode(ctx, { idHash: challenge.idHash, code: input.code });
  const user = await findStaff(ctx, input.email, input.mobile);
  return {
    isExisting: user !== null,
    registrationStatus: user?.role === "doctor" ? await statusOf(ctx, user.id) : null,
    verificationToken: verificationTokenOf(challenge.idHash, verifiedAt, env().sessionSecrets[0]),
  };
}

/**
 * Third call of an app. @throws DomainError("invalid" | "conflict" | "forbidden" | "too-many") with the specification's sentences
 */
export async function finishDoctorAuthInApp(
  ctx: Ctx,
  input: { email: string; mobile: Phone; password: string; userAgent: string; verificationToken?: string | undefined },
): Promise<DoctorAuthResult> {
  const idHash = await findVerifiedInApp(ctx, input);
  if (idHash === null) throw new DomainError("invalid", m.accounts_otp_first());
  const { password, userAgent } = input;
  return finishDoctorAuth(ctx, { idHash, userAgent, password, kind: "api" });
}

/** Returns the verified challenge of the secret; without a secret, of the caller's network within two minutes. */
async function findVerifiedInApp(
  ctx: Ctx,
  input: { email: string; mobile: Phone; verificationToken?: string | undefined },
): Promise<string | null> {
  const { verificationToken: token } = input;
  if (token === undefined) {
    const found = await findInApp(ctx, input);
    if (!found?.verifiedAt) return null;
    return ctx.now.getTime() - found.verifiedAt.getTime() <= APP_WINDOW ? found.idHash : null;
  }
  const idHash = token.split(".", 1)[0] ?? "";
  const challenge = await readVerified(ctx, idHash);
  if (!challenge || challenge.phone !== input.mobile) return null;
  const payload = challenge.payload as DoctorAuthPayload;
  const right = env().sessionSecrets.some((secret) => sameSecret(token, verificationTokenOf(idHash, challenge.verifiedAt, secret)));
  return right && payload.inApp === true && payload.email === input.email ? idHash : null;
}
