import { and, eq, gt } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { hospitals, memberships, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireGoodPassword } from "#app/domains/platform/accounts/password-rules.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { lockPlace } from "./lock-place.server.ts";
import { MEMBERSHIP_ACTIONS } from "./membership.state.ts";

const over = () => new DomainError("not-found", m.clinic_join_over());
const openInvitation = (ctx: Ctx, token: string | undefined) =>
  and(eq(memberships.tokenHash, hashToken(token ?? "")), eq(memberships.state, "invited"), gt(memberships.expiresAt, ctx.now));

/** Returns the invitation of a link, and whether its address has an account. @throws DomainError("not-found") */
export async function getMembershipInvitation(ctx: Ctx, token: string | undefined) {
  const [row] = await ctx.db
    .select({
      email: memberships.email,
      name: memberships.name,
      memberRole: memberships.role,
      hospitalId: hospitals.id,
      place: hospitals.name,
      address: hospitals.address,
      userId: users.id,
      role: users.role,
      status: users.status,
    })
    .from(memberships)
    .innerJoin(hospitals, eq(hospitals.id, memberships.hospitalId))
    .leftJoin(users, eq(users.email, memberships.email))
    .where(and(openInvitation(ctx, token), eq(hospitals.status, "active")));
  if (!row?.email || (row.userId && (row.role === "admin" || row.status !== "active"))) throw over();
  const { email, name, memberRole, hospitalId, place, address } = row;
  return { email, name, memberRole, hospitalId, place, address, hasAccount: row.userId !== null };
}

/** The invitation is over: address, link and name are not stored any longer. */
export const INVITATION_OVER = { email: null, tokenHash: null, expiresAt: null, name: "" };

/**
 * Makes the invited user a member: with a new account of role `staff`, or with the existing account of the address. Works once.
 * @throws DomainError("not-found" | "invalid" | "conflict" | "too-many" | "unavailable")
 */
export async function acceptMembership(
  ctx: Ctx,
  input: { token: string; account?: { name: string; phone: Phone; password: string } | undefined },
): Promise<void> {
  const { email, hospitalId } = await getMembershipInvitation(ctx, input.token);
  if (input.account) {
    await requireGoodPassword({ role: "staff", email, phone: input.account.phone }, input.account.password, "password");
    await spendLimits(ctx, [{ limit: "password-set", key: input.token }]);
  }
  const passwordHash = input.account ? await hashPassword(input.account.password) : null;
  try {
    await transact(ctx, async (tx) => {
      await lockPlace(tx, hospitalId).catch(() => {
        throw over();
      });
      // Read after locking: it may have been revoked or accepted meanwhile.
      const [open] = await tx.db.select({ id: memberships.id }).from(memberships).where(openInvitation(tx, input.token));
      if (!open) throw over();
      const actor = await accountOf(tx);
      const rule = MEMBERSHIP_ACTIONS.accept;
      const [won] = await tx.db
        .update(memberships)
        .set({ userId: actor.userId, state: rule.to, acceptedAt: tx.now, updatedAt: tx.now, ...INVITATION_OVER })
        .where(openInvitation(tx, input.token))
        .returning({ id: memberships.id, role: memberships.role });
      if (!won) throw over();
      const own = { ...tx, actor };
      await recordChange(own, "membership.accept", {
        subject: { membership: won.id },
        people: { user: actor.userId },
        place: hospitalId,
        data: { to: rule.to, role: won.role },
        details: { role: won.role, hospital: hospitalId },
      });
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === "users_email" || constraint === "memberships_live") throw over();
    if (constraint?.startsWith("users_"))
      throw new DomainError("conflict", m.hospitals_invitation_phone_taken(), {
        fields: { phone: [m.hospitals_invitation_phone_taken()] },
      });
    throw error;
  }

  async function accountOf(tx: Ctx): Promise<Actor> {
    const [known] = await tx.db.select({ id: users.id, role: users.role, status: users.status }).from(users).where(eq(users.email, email));
    if (known && (known.role === "admin" || known.status !== "active")) throw over();
    if (known) return { userId: known.id, role: known.role };
    if (!input.account) throw new DomainError("invalid");
    const { name, phone } = input.account;
    const [made] = await tx.db
      .insert(users)
      .values({ role: "staff", email, phone, passwordHash, staffName: name, language: language(), createdAt: tx.now, updatedAt: tx.now })
      .returning({ id: users.id });
    return { userId: made!.id, role: "staff" };
  }
}

/** Declines an invitation with its link. Idempotent while the link is known. @throws DomainError("not-found") */
export async function declineMembership(ctx: Ctx, token: string): Promise<void> {
  const { hospitalId } = await getMembershipInvitation(ctx, token);
  await transact(ctx, async (tx) => {
    await lockPlace(tx, hospitalId);
    const rule = MEMBERSHIP_ACTIONS.end;
    const [row] = await tx.db
      .update(memberships)
      .set({ state: rule.to, endedAt: tx.now, updatedAt: tx.now, ...INVITATION_OVER })
      .where(openInvitation(tx, token))
      .returning({ id: memberships.id, role: memberships.role });
    if (!row) throw over();
    const of = { subject: { membership: row.id }, place: hospitalId };
    await recordChange(tx, "decline-membership", { ...of, details: { hospital: hospitalId } });
    await recordChange(tx, "membership.end", { ...of, data: { to: rule.to, role: row.role } });
  });
}
