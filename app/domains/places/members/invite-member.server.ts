import { and, eq, inArray } from "drizzle-orm";
import { memberships, placeDoctors, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { maskEmail } from "#app/domains/platform/users/mask-email.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken, isUuid, randomToken } from "#app/lib/ids.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE, type Language } from "#app/lib/language.ts";
import { pathOf } from "#app/lib/targets.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { requireActing } from "./acting.server.ts";
import { lockPlace } from "./lock-place.server.ts";
import type { InviteMember } from "./members.schema.ts";
import { memberRoleWord } from "./words.ts";

/** How long the link of an invitation is valid. */
const INVITATION_LIFE = days(7);

/**
 * Invites a user to the staff of a place by email, as its owner. The link works once, for seven days. A second invitation of the
 * address replaces the first.
 * @throws DomainError("not-found" | "forbidden" | "invalid" | "unproven" | "too-many")
 */
export async function inviteMember(ctx: Ctx<Actor>, input: InviteMember & { hospitalId: string }): Promise<void> {
  await requireActing(ctx, input.hospitalId, "manage-staff");
  await invite(ctx, input, (tx) => requireActing(tx, input.hospitalId, "manage-staff"));
}

/** Invites an owner of a place as an administrator: the first owner, or another one. @throws as inviteMember */
export async function inviteOwner(
  ctx: Ctx<Actor>,
  input: Pick<InviteMember, "email" | "name" | "language"> & { hospitalId: string },
): Promise<void> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  await invite(ctx, { ...input, role: "owner", doctorIds: [] }, async (tx) => tx);
}

async function invite(
  ctx: Ctx<Actor>,
  { hospitalId, email, name = "", role, doctorIds, language }: InviteMember & { hospitalId: string },
  acting: (tx: Ctx<Actor>) => Promise<Ctx<Actor>>,
): Promise<void> {
  requireProof(ctx, "invite-member");
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  await transact(ctx, async (outer) => {
    const place = await lockPlace(outer, hospitalId);
    const tx = await acting(outer);
    await requirePlaceDoctors(tx, hospitalId, doctorIds);
    const refuse = (sentence: string) => new DomainError("invalid", sentence, { fields: { email: [sentence] } });
    const [known] = await tx.db
      .select({ id: users.id, role: users.role, status: users.status, language: users.language })
      .from(users)
      .where(eq(users.email, email));
    // Administrators approve doctors: they work for no place.
    if (known && (known.role === "admin" || known.status !== "active")) throw refuse(m.clinic_invite_taken());
    if (known) {
      const [already] = await tx.db
        .select({ id: memberships.id })
        .from(memberships)
        .where(
          and(
            eq(memberships.hospitalId, hospitalId),
            eq(memberships.userId, known.id),
            inArray(memberships.state, ["active", "suspended"]),
          ),
        );
      if (already) throw refuse(m.clinic_invite_already());
    }
    const [waiting] = await tx.db
      .select({ id: memberships.id })
      .from(memberships)
      .where(and(eq(memberships.hospitalId, hospitalId), eq(memberships.email, email), eq(memberships.state, "invited")));
    const token = randomToken();
    const set = {
      role,
      doctorIds: role === "owner" ? [] : doctorIds,
      name,
      invitedBy: tx.actor.userId,
      ...linkOf(tx, token),
      updatedAt: tx.now,
    };
    const [row] = waiting
      ? await tx.db.update(memberships).set(set).where(eq(memberships.id, waiting.id)).returning({ id: memberships.id })
      : await tx.db
          .insert(memberships)
          .values({ hospitalId, email, state: "invited", createdAt: tx.now, ...set })
          .returning({ id: memberships.id });
    await sendInvitation(tx, { place: place.name, email, role, token, language: known?.language ?? language });
    const details = { role, to: maskEmail(email), hospital: hospitalId };
    const of = { subject: { membership: row!.id }, place: hospitalId, details };
    if (waiting) await recordChange(tx, "invite-member", of);
    else await recordChange(tx, "membership.invite", { ...of, data: { to: "invited", role } });
  });
}

/** Sends a new link for an invitation, as the owner. The old link ends. @throws DomainError("not-found" | "forbidden" | "conflict" | "unproven" | "too-many") */
export async function resendInvitation(ctx: Ctx<Actor>, input: { hospitalId: string; id: string }): Promise<{ email: string }> {
  await requireActing(ctx, input.hospitalId, "manage-staff");
  requireProof(ctx, "invite-member");
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  if (!isUuid(input.id)) throw new DomainError("not-found");
  return transact(ctx, async (outer) => {
    const place = await lockPlace(outer, input.hospitalId);
    const tx = await requireActing(outer, input.hospitalId, "manage-staff");
    const token = randomToken();
    const [row] = await tx.db
      .update(memberships)
      .set({ ...linkOf(tx, token), updatedAt: tx.now })
      .where(and(eq(memberships.id, input.id), eq(memberships.hospitalId, input.hospitalId), eq(memberships.state, "invited")))
      .returning({ email: memberships.email, role: memberships.role });
    if (!row?.email) throw new DomainError("not-found");
    const [known] = await tx.db.select({ language: users.language }).from(users).where(eq(users.email, row.email));
    await sendInvitation(tx, { place: place.name, email: row.email, role: row.role, token, language: known?.language });
    const details = { role: row.role, to: maskEmail(row.email), hospital: input.hospitalId, again: true };
    await recordChange(tx, "invite-member", { subject: { membership: input.id }, details });
    return { email: row.email };
  });
}

const linkOf = (tx: Ctx, token: string) => ({
  tokenHash: hashToken(token),
  expiresAt: new Date(tx.now.getTime() + INVITATION_LIFE),
});

/** Throws unless the doctors have accepted the place. The caller has locked it. @throws DomainError("invalid") */
export async function requirePlaceDoctors(tx: Ctx, hospitalId: string, doctorIds: readonly string[]): Promise<void> {
  if (!doctorIds.length) return;
  const own = and(
    eq(placeDoctors.hospitalId, hospitalId),
    eq(placeDoctors.state, "active"),
    inArray(placeDoctors.doctorId, [...doctorIds]),
  );
  if ((await tx.db.$count(placeDoctors, own)) !== new Set(doctorIds).size)
    throw new DomainError("invalid", undefined, { fields: { doctorIds: [m.clinic_doctor_gone()] } });
}

/** The email is in the language of the account or the chosen one, with English below it. */
async function sendInvitation(
  tx: Ctx,
  given: { place: string; email: string; role: MemberRole; token: string; language: Language | null | undefined },
): Promise<void> {
  const { place, email, role, token } = given;
  const language = given.language ?? BASE_LANGUAGE;
  const link = new URL(`${pathOf({ page: "join", id: token })}?lang=${language}`, env().appUrl).href;
  const bodyIn = (one: Language) => withLanguage(one, () => m.clinic_invite_email({ place, role: memberRoleWord(role), link }));
  await enqueue(tx, "email", {
    to: email,
    subject: withLanguage(language, () => m.clinic_invite_email_subject({ place })),
    body: [...new Set([language, BASE_LANGUAGE])].map(bodyIn).join("\n\n* * *\n\n"),
  });
}
