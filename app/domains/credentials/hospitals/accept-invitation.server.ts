import { and, eq, gt, isNull } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { hospitalReviewers, hospitals, reviewerInvitations, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { requireGoodPassword } from "#app/domains/platform/accounts/password-rules.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";

const over = () => new DomainError("not-found", m.hospitals_invitation_over());

/** Returns the invitation of a link, and whether its address has a reviewer account already. @throws DomainError("not-found") */
export async function getInvitation(ctx: Ctx, token: string | undefined) {
  const [row] = await ctx.db
    .select({
      email: reviewerInvitations.email,
      name: reviewerInvitations.name,
      hospitalId: hospitals.id,
      hospitalName: hospitals.name,
      address: hospitals.address,
      userId: users.id,
      role: users.role,
      status: users.status,
    })
    .from(reviewerInvitations)
    .innerJoin(hospitals, eq(hospitals.id, reviewerInvitations.hospitalId))
    .leftJoin(users, eq(users.email, reviewerInvitations.email))
    .where(openInvitation(ctx, token));
  if (!row || (row.userId && (row.role !== "reviewer" || row.status !== "active"))) throw over();
  return { email: row.email, name: row.name, hospitalName: row.hospitalName, address: row.address, hasAccount: row.userId !== null };
}

const openInvitation = (ctx: Ctx, token: string | undefined) =>
  and(
    eq(reviewerInvitations.tokenHash, hashToken(token ?? "")),
    isNull(reviewerInvitations.acceptedAt),
    gt(reviewerInvitations.expiresAt, ctx.now),
  );

/**
 * Makes the invited person a reviewer of the hospital: with a new account, or with the existing one of their address. The link
 * works once.
 * @throws DomainError("not-found" | "invalid" | "conflict" | "too-many" | "unavailable")
 */
export async function acceptInvitation(
  ctx: Ctx,
  input: { token: string; account?: { name: string; phone: Phone; password: string } | undefined },
): Promise<void> {
  const { email: invited } = await getInvitation(ctx, input.token);
  if (input.account) {
    await requireGoodPassword({ role: "reviewer", email: invited, phone: input.account.phone }, input.account.password, "password");
    await spendLimits(ctx, [{ limit: "password-set", key: input.token }]);
  }
  const passwordHash = input.account ? await hashPassword(input.account.password) : null;
  try {
    await transact(ctx, async (tx) => {
      const [won] = await tx.db.update(reviewerInvitations).set({ acceptedAt: tx.now }).where(openInvitation(tx, input.token)).returning();
      if (!won) throw over();
      const [hospital] = await tx.db
        .select({ status: hospitals.status })
        .from(hospitals)
        .where(eq(hospitals.id, won.hospitalId))
        .for("share");
      if (hospital?.status !== "active" && hospital?.status !== "pending") throw over();
      const userId = await accountOf(tx, won.email);
      await tx.db.insert(hospitalReviewers).values({ hospitalId: won.hospitalId, userId, createdAt: tx.now }).onConflictDoNothing();
      const actor = { userId, role: "reviewer" as const };
      await recordChange({ ...tx, actor }, "accept-invitation", {
        subject: { hospital: won.hospitalId },
        people: { user: userId },
        details: { invitedBy: won.invitedBy },
      });
    });
  } catch (error) {
    if (violatedConstraint(error)?.startsWith("users_"))
      throw new DomainError("conflict", m.hospitals_invitation_phone_taken(), {
        fields: { phone: [m.hospitals_invitation_phone_taken()] },
      });
    throw error;
  }

  async function accountOf(tx: Ctx, email: string): Promise<string> {
    const [known] = await tx.db.select({ id: users.id, role: users.role, status: users.status }).from(users).where(eq(users.email, email));
    if (known && (known.role !== "reviewer" || known.status !== "active")) throw over();
    if (known) return known.id;
    if (!input.account) throw new DomainError("invalid");
    const { name, phone } = input.account;
    const [made] = await tx.db
      .insert(users)
      .values({ role: "reviewer", email, phone, passwordHash, staffName: name, language: language(), createdAt: tx.now, updatedAt: tx.now })
      .returning({ id: users.id });
    return made!.id;
  }
}
