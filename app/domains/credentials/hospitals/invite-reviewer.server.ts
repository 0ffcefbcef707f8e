import { and, eq, isNull } from "drizzle-orm";
import { hospitalReviewers, reviewerInvitations, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { maskEmail } from "#app/domains/platform/users/mask-email.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE, type Language } from "#app/lib/language.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { lockHospital } from "./lock-hospital.server.ts";

/** How long the link of an invitation is valid. */
const INVITATION_LIFE = days(7);

/**
 * Sends an invitation email to an address, in the chosen language or that of its account, with English below it; the page behind
 * the link has the same language. The link works for seven days and makes its user a reviewer of this hospital. Earlier
 * invitations of the address to the same hospital become invalid.
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid" | "too-many")
 */
export async function inviteReviewer(
  ctx: Ctx<Actor>,
  input: { hospitalId: string; email: string; name?: string | undefined; language?: Language | undefined },
): Promise<void> {
  requireAdmin(ctx);
  requireProof(ctx, "invite-reviewer");
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  const { hospitalId, email, name = "" } = input;
  await transact(ctx, async (tx) => {
    const hospital = await lockHospital(tx, hospitalId, ["active", "pending"]);
    const refuse = (sentence: string) => new DomainError("invalid", sentence, { fields: { email: [sentence] } });
    const [known] = await tx.db
      .select({ id: users.id, role: users.role, status: users.status, language: users.language })
      .from(users)
      .where(eq(users.email, email));
    if (known && (known.role !== "reviewer" || known.status !== "active")) throw refuse(m.hospitals_invite_taken());
    if (known) {
      const [already] = await tx.db
        .select({ id: hospitalReviewers.userId })
        .from(hospitalReviewers)
        .where(and(eq(hospitalReviewers.hospitalId, hospitalId), eq(hospitalReviewers.userId, known.id)));
      if (already) throw refuse(m.hospitals_invite_already());
    }
    await tx.db
      .delete(reviewerInvitations)
      .where(
        and(eq(reviewerInvitations.hospitalId, hospitalId), eq(reviewerInvitations.email, email), isNull(reviewerInvitations.acceptedAt)),
      );
    const token = randomToken();
    await tx.db.insert(reviewerInvitations).values({
      tokenHash: hashToken(token),
      hospitalId,
      email,
      name,
      invitedBy: tx.actor.userId,
      expiresAt: new Date(tx.now.getTime() + INVITATION_LIFE),
      createdAt: tx.now,
    });
    const language = known?.language ?? input.language ?? BASE_LANGUAGE;
    const link = new URL(`${pathOf({ page: "invitation", id: token })}?lang=${language}`, env().appUrl).href;
    const bodyIn = (one: Language) => withLanguage(one, () => m.hospitals_invite_email({ hospital: hospital.name, link }));
    await enqueue(tx, "email", {
      to: email,
      subject: withLanguage(language, () => m.hospitals_invite_email_subject({ hospital: hospital.name })),
      body: [...new Set([language, BASE_LANGUAGE])].map(bodyIn).join("\n\n* * *\n\n"),
    });
    await recordChange(tx, "invite-reviewer", { subject: { hospital: hospitalId }, details: { to: maskEmail(email) } });
  });
}

/** Revokes open invitations of an address. @throws DomainError("not-found" | "forbidden") */
export async function revokeInvitation(ctx: Ctx<Actor>, input: { hospitalId: string; email: string }): Promise<void> {
  requireAdmin(ctx);
  return transact(ctx, async (tx) => {
    await lockHospital(tx, input.hospitalId, ["active", "pending"]);
    const gone = await tx.db
      .delete(reviewerInvitations)
      .where(
        and(
          eq(reviewerInvitations.hospitalId, input.hospitalId),
          eq(reviewerInvitations.email, input.email),
          isNull(reviewerInvitations.acceptedAt),
        ),
      )
      .returning({ email: reviewerInvitations.email });
    if (!gone.length) throw new DomainError("not-found");
    await recordChange(tx, "take-back-invitation", { subject: { hospital: input.hospitalId }, details: { to: maskEmail(input.email) } });
  });
}
