import { and, eq, isNull } from "drizzle-orm";
import { otpChallenges, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { recordFailedLogin } from "../audit/record-refusal.server.ts";
import { refundLimits, spendLimits } from "../limits/limit.server.ts";
import { endOtherSessionsOf } from "./own-sessions.server.ts";
import { requireGoodPassword } from "./password-rules.server.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";

/**
 * Changes the acting user's password. Ends every other session and every login begun with the old password, and notifies the
 * user by email.
 * @returns how many other sessions ended.
 * @throws DomainError("invalid") when the current password is wrong, "too-many" after ten of these, "conflict"
 */
export async function changePassword(
  ctx: Ctx<Actor>,
  input: { currentPassword: string; newPassword: string; tokenHash: string },
): Promise<number> {
  const { userId } = ctx.actor;
  const [user] = await ctx.db
    .select({ role: users.role, email: users.email, phone: users.phone, hash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  // Shares the limit of the login, so that an open session does not allow more guesses.
  const spent = await spendLimits(ctx, [{ limit: "password-wrong", key: user?.email ?? "", address: ctx.ip }]);
  if (!(await verifyPassword(user?.hash ?? null, input.currentPassword))) {
    recordFailedLogin(ctx, { result: "wrong-password", purpose: "change-password", userId });
    throw new DomainError("invalid", undefined, { fields: { currentPassword: [m.settings_password_wrong()] } });
  }
  await refundLimits(ctx, spent);
  await requireGoodPassword(user!, input.newPassword, "newPassword");
  await spendLimits(ctx, [{ limit: "password-set", key: userId }]);
  const passwordHash = await hashPassword(input.newPassword);
  return transact(ctx, async (tx) => {
    // Matches the verified hash only: of two concurrent changes one succeeds.
    const [changed] = await tx.db
      .update(users)
      .set({ passwordHash, passwordWeakSince: null, updatedAt: tx.now })
      .where(and(eq(users.id, userId), eq(users.passwordHash, user!.hash!)))
      .returning({ id: users.id });
    if (!changed) throw new DomainError("conflict", m.settings_password_changed_elsewhere());
    if (user?.phone)
      await tx.db
        .update(otpChallenges)
        .set({ consumedAt: tx.now })
        .where(and(eq(otpChallenges.phone, user.phone), eq(otpChallenges.purpose, "doctor-login"), isNull(otpChallenges.consumedAt)));
    const ended = await endOtherSessionsOf(tx, userId, input.tokenHash);
    await recordChange(tx, "change-password", {
      people: { user: userId },
      details: { sessionsEnded: ended },
      notify: { user: { params: {}, target: { page: ctx.actor.role === "doctor" ? "doctor-settings" : "security" } } },
    });
    return ended;
  });
}
