/**
 * Password reset of a doctor, reviewer or administrator. It needs both channels: the link in an email and the code in an SMS. The
 * page does the same work and returns the same for existing and unknown accounts; a job reads the account later
 * (docs/decisions/042).
 */

import { and, eq, gt, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import { otpChallenges, PASSWORD_ROLES, passwordResets, type Role, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { type Language, language } from "#app/lib/language.ts";
import type { Phone } from "#app/lib/phone.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { startChallenge, verifyChallenge } from "./otp.server.ts";
import { requireGoodPassword } from "./password-rules.server.ts";
import { hashPassword } from "./passwords.server.ts";
import { endSessionsOf } from "./sessions.server.ts";

const RESET_LIFE = minutes(30);
/** Bank details cannot be changed for this long after a reset. */
const BANK_LOCK = hours(24);
const PURPOSE = "password-reset";
const ROLES_WITH_PASSWORD: Role[] = [...PASSWORD_ROLES];

const over = () => new DomainError("not-found", m.accounts_reset_over());

/** Requests a link and a code. Returns the same for every email and phone. @throws DomainError("too-many" | "unavailable") */
export async function startPasswordReset(ctx: Ctx, input: { email: string; mobile: Phone }): Promise<void> {
  const { email, mobile } = input;
  await spendLimits(ctx, [
    { limit: "password-reset-address", address: ctx.ip },
    { limit: "password-reset", key: `${email}|${mobile}`, address: ctx.ip },
    { limit: "password-reset-account", key: `${email}|${mobile}` },
  ]);
  await transact(ctx, async (tx) => {
    const [made] = await tx.db
      .insert(passwordResets)
      .values({ email, phone: mobile, createdAt: tx.now, expiresAt: new Date(tx.now.getTime() + RESET_LIFE), ip: ctx.ip })
      .returning({ id: passwordResets.id });
    await enqueue(tx, "password-reset", { resetId: made!.id, language: language() });
  });
}

/**
 * Sends the code and the link, if there is an account. Idempotent: each is sent once.
 * @throws DomainError("too-many" | "unavailable") to be retried
 */
export async function sendPasswordReset(ctx: Ctx, input: { resetId: string; language: Language }): Promise<void> {
  const [reset] = await ctx.db
    .select()
    .from(passwordResets)
    .where(and(eq(passwordResets.id, input.resetId), gt(passwordResets.expiresAt, ctx.now), isNull(passwordResets.usedAt)));
  if (!reset) return;
  const [user] = await ctx.db
    .select({ id: users.id, language: users.language })
    .from(users)
    .where(
      and(eq(users.email, reset.email), eq(users.phone, reset.phone), inArray(users.role, ROLES_WITH_PASSWORD), eq(users.status, "active")),
    );
  if (!user) {
    await ctx.db.delete(passwordResets).where(eq(passwordResets.id, reset.id));
    return;
  }
  const spoken = user.language ?? input.language;
  await withLanguage(spoken, async () => {
    if (!reset.challengeHash) await sendCode({ ...ctx, ip: reset.ip }, reset);
    await transact(ctx, async (tx) => {
      const token = randomToken();
      const [won] = await tx.db
        .update(passwordResets)
        .set({ tokenHash: hashToken(token), userId: user.id })
        .where(and(eq(passwordResets.id, reset.id), isNull(passwordResets.tokenHash)))
        .returning({ id: passwordResets.id });
      if (!won) return;
      const link = new URL(`${pathOf({ page: "reset-password", id: token })}?lang=${spoken}`, env().appUrl).href;
      await enqueue(tx, "email", {
        to: reset.email,
        subject: m.accounts_reset_email_subject(),
        body: m.accounts_reset_email({ link, minutes: String(RESET_LIFE / minutes(1)) }),
      });
      await recordChange({ ...tx, ip: reset.ip }, "request-password-reset", { people: { user: user.id } });
    });
  });
}

async function sendCode(ctx: Ctx, reset: { id: string; phone: Phone }): Promise<void> {
  const { challengeId } = await startChallenge(ctx, { purpose: PURPOSE, phone: reset.phone });
  await ctx.db
    .update(passwordResets)
    .set({ challengeHash: hashToken(challengeId) })
    .where(eq(passwordResets.id, reset.id));
}

/** Returns the reset and the account of a link. @throws DomainError("not-found") when the link is unknown, used or too old */
async function openReset(ctx: Ctx, token: string | undefined) {
  const [row] = await ctx.db
    .select({
      id: passwordResets.id,
      phone: passwordResets.phone,
      challengeHash: passwordResets.challengeHash,
      userId: users.id,
      role: users.role,
      email: users.email,
    })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(
      and(
        isNotNull(passwordResets.tokenHash),
        eq(passwordResets.tokenHash, hashToken(token ?? "")),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, ctx.now),
        eq(users.status, "active"),
      ),
    );
  if (!row) throw over();
  return row;
}

/** Returns the data of a link's page. Opening it changes nothing. @throws DomainError("not-found") */
export async function getPasswordReset(ctx: Ctx, token: string | undefined): Promise<{ role: Role; phoneEnd: string }> {
  const { role, phone } = await openReset(ctx, token);
  return { role, phoneEnd: phone.slice(-2) };
}

/** Sends a new code to the phone of the account. @throws DomainError("not-found" | "too-many" | "unavailable") */
export async function resendResetCode(ctx: Ctx, token: string | undefined): Promise<void> {
  await sendCode(ctx, await openReset(ctx, token));
}

/**
 * Sets a new password. Ends every session, notifies the user on both channels, and locks bank details for a day. The link works
 * once: of two concurrent requests one succeeds.
 * @throws DomainError("not-found" | "invalid" | "too-many")
 */
export async function resetPassword(ctx: Ctx, input: { token: string | undefined; code: string; newPassword: string }): Promise<void> {
  await spendLimits(ctx, [{ limit: "password-reset-try", address: ctx.ip }]);
  const reset = await openReset(ctx, input.token);
  // Before the code, so that a refused password does not use it up.
  await requireGoodPassword(reset, input.newPassword, "newPassword");
  try {
    await verifyChallenge(ctx, {
      purposes: PURPOSE,
      idHash: reset.challengeHash ?? "",
      code: input.code,
      consume: true,
      expired: () => m.accounts_otp_expired_doctor(),
    });
  } catch (error) {
    // The link may have been used by another tab meanwhile.
    await openReset(ctx, input.token);
    throw error;
  }
  const passwordHash = await hashPassword(input.newPassword);
  const { userId, role, phone } = reset;
  await transact(ctx, async (tx) => {
    const [won] = await tx.db
      .update(passwordResets)
      .set({ usedAt: tx.now })
      .where(and(eq(passwordResets.id, reset.id), isNull(passwordResets.usedAt), gt(passwordResets.expiresAt, tx.now)))
      .returning({ id: passwordResets.id });
    const [changed] = won
      ? await tx.db
          .update(users)
          .set({
            passwordHash,
            passwordWeakSince: null,
            bankLockedUntil: role === "doctor" ? new Date(tx.now.getTime() + BANK_LOCK) : null,
            updatedAt: tx.now,
          })
          .where(and(eq(users.id, userId), eq(users.status, "active")))
          .returning({ id: users.id })
      : [];
    if (!changed) throw over();
    // Ends other links of this user, and logins started with the old password.
    await tx.db
      .update(passwordResets)
      .set({ usedAt: tx.now })
      .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)));
    await tx.db
      .update(otpChallenges)
      .set({ consumedAt: tx.now, jar: "", payload: null })
      .where(
        and(eq(otpChallenges.phone, phone), inArray(otpChallenges.purpose, ["doctor-login", PURPOSE]), isNull(otpChallenges.consumedAt)),
      );
    const sessionsEnded = await endSessionsOf(tx, userId);
    const as = { ...tx, actor: { userId, role } };
    await recordChange(as, "reset-password", {
      people: { user: userId },
      details: { sessionsEnded },
      notify: { user: { params: {}, target: { page: "security" } } },
    });
  });
}

/** Deletes requests a day after their end. */
export async function sweepPasswordResets(ctx: Ctx): Promise<void> {
  await ctx.db.delete(passwordResets).where(lt(passwordResets.expiresAt, new Date(ctx.now.getTime() - days(1))));
}
