import { and, eq, isNull, or } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { otpChallenges, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { requireGoodPassword } from "#app/domains/platform/accounts/password-rules.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { Phone } from "#app/lib/phone.ts";

export type MadeAdmin =
  | "made"
  | "new-password"
  /** This administrator exists; nothing was changed. */
  | "there"
  /** The email or phone belongs to another user, or the account is disabled; nothing was changed. */
  | "taken";

/**
 * Creates an administrator account. Only a command on the server does this, no page. Idempotent.
 * @param input.email in lower case
 * @param input.replacePassword replaces the password of an existing administrator and ends their logins
 * @throws DomainError("invalid") when the password is too short or too common
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
        await recordChange(tx, "make-admin", { people: { user: made!.id } });
        return "made";
      }
      const same = admin.role === "admin" && admin.email === email && admin.phone === phone && admin.status === "active";
      if (known.length > 1 || !same) return "taken";
      if (!replacePassword) return "there";
      await tx.db.update(users).set({ passwordHash, passwordWeakSince: null, updatedAt: tx.now }).where(eq(users.id, admin.id));
      // Ends logins that were started with the old password.
      await tx.db
        .update(otpChallenges)
        .set({ consumedAt: tx.now })
        .where(and(eq(otpChallenges.phone, phone), eq(otpChallenges.purpose, "doctor-login"), isNull(otpChallenges.consumedAt)));
      const sessionsEnded = await endSessionsOf(tx, admin.id);
      await recordChange(tx, "replace-password", { people: { user: admin.id }, details: { sessionsEnded } });
      return "new-password";
    });
  } catch (error) {
    // A concurrent run created the account.
    if (violatedConstraint(error)?.startsWith("users_")) return "taken";
    throw error;
  }
}
