import { and, eq, isNull, or } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { otpChallenges, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { requireGoodPassword } from "#app/domains/platform/accounts/password-rules.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import type { Phone } from "#app/lib/phone.ts";

export type MadeAdmin =
  | "made"
  | "new-password"
  /** There is this administrator already; nothing was changed. */
  | "there"
  /** The address or the number belongs to somebody else, or the account is closed; nothing was changed. */
  | "taken";

/**
 * Opens an administrator's account: the first one, or one for somebody who runs Nadi. No page does this, only whoever may run
 * commands on the server. Safe to repeat: an administrator who is there stays as they are.
 * @param input.email in small letters
 * @throws DomainError("invalid") when the password is too short or too common
 * @param input.replacePassword gives an administrator who is there this password and ends their logins
 */
export async function makeAdmin(
  ctx: Ctx<null>,
  input: { email: string; phone: Phone; name: string; password: string; replacePassword: boolean },
): Promise<MadeAdmin> {
  const { email, phone, name, replacePassword } = input;
  await requireGoodPassword({ role: "admin", email, phone }, input.password, "password");
  const passwordHash = await hashPassword(input.password);
  try {
    return await transact(ctx, async (tx) => {
      const known = await tx.db
        .select({ id: users.id, email: users.email, phone: users.phone, role: users.role, status: users.status })
        .from(users)
        .where(or(eq(users.email, email), and(eq(users.role, "admin"), eq(users.phone, phone))))
        .for("update");
      const [admin] = known;
      if (!admin) {
        const [made] = await tx.db
          .insert(users)
          .values({ role: "admin", email, phone, staffName: name, passwordHash, createdAt: tx.now, updatedAt: tx.now })
          .returning({ id: users.id });
        await recordAudit(tx, { action: "make-admin", subjectType: "user", subjectId: made!.id, personId: made!.id });
        return "made";
      }
      const same = admin.role === "admin" && admin.email === email && admin.phone === phone && admin.status === "active";
      if (known.length > 1 || !same) return "taken";
      if (!replacePassword) return "there";
      await tx.db.update(users).set({ passwordHash, passwordWeakSince: null, updatedAt: tx.now }).where(eq(users.id, admin.id));
      // A login that was begun with the old password opens nothing either.
      await tx.db
        .update(otpChallenges)
        .set({ consumedAt: tx.now })
        .where(and(eq(otpChallenges.phone, phone), eq(otpChallenges.purpose, "doctor-login"), isNull(otpChallenges.consumedAt)));
      const sessionsEnded = await endSessionsOf(tx, admin.id);
      await recordAudit(tx, {
        action: "change-password",
        subjectType: "user",
        subjectId: admin.id,
        personId: admin.id,
        details: { sessionsEnded },
      });
      return "new-password";
    });
  } catch (error) {
    // Two at once: the other one was first.
    if (violatedConstraint(error)?.startsWith("users_")) return "taken";
    throw error;
  }
}
