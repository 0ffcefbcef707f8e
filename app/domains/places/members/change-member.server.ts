import { and, eq, inArray } from "drizzle-orm";
import { memberships } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { INVITATION_OVER } from "./accept-membership.server.ts";
import { requireActing } from "./acting.server.ts";
import { requirePlaceDoctors } from "./invite-member.server.ts";
import { closeAccess, lockPlace, requireAnotherOwner } from "./lock-place.server.ts";
import { canMember, MEMBERSHIP_ACTIONS, type MembershipAction, type MembershipActor } from "./membership.state.ts";
import { membershipStateWord } from "./words.ts";

type Row = typeof memberships.$inferSelect;
type Which = { hospitalId: string; id: string };

/** Suspends, resumes or removes a member, or revokes an invitation, as an owner. @throws DomainError("not-found" | "forbidden" | "conflict") */
export function changeMember(ctx: Ctx<Actor>, input: Which & { action: Exclude<MembershipAction, "accept"> }): Promise<void> {
  return transact(ctx, async (outer) => {
    await requireActing(outer, input.hospitalId, "manage-staff");
    await lockPlace(outer, input.hospitalId);
    // Again after locking: another owner may have removed this one meanwhile.
    const tx = await requireActing(outer, input.hospitalId, "manage-staff");
    const row = await readMember(tx, input);
    if (row.userId === tx.actor.userId) throw new DomainError("conflict", m.clinic_not_yourself());
    await move(tx, row, input.action, "owner");
  });
}

/** Ends the acting member's own membership. @throws DomainError("not-found" | "conflict") for the only owner */
export function leavePlace(ctx: Ctx<Actor>, hospitalId: string): Promise<void> {
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "see-place");
    await lockPlace(tx, hospitalId);
    const [row] = await tx.db
      .select()
      .from(memberships)
      .where(and(eq(memberships.hospitalId, hospitalId), eq(memberships.userId, tx.actor.userId), eq(memberships.state, "active")));
    if (!row) throw new DomainError("not-found");
    await move(tx, row, "end", "member");
  });
}

/** Removes an owner of a place or revokes their invitation, as an administrator. @throws DomainError("not-found" | "forbidden" | "conflict") */
export function removeOwner(ctx: Ctx<Actor>, input: Which): Promise<void> {
  return transact(ctx, async (tx) => {
    if (tx.actor.role !== "admin") throw new DomainError("forbidden");
    await lockPlace(tx, input.hospitalId);
    const row = await readMember(tx, input);
    if (row.role !== "owner") throw new DomainError("not-found");
    await move(tx, row, "end", "admin");
  });
}

/** Changes role and doctors of a member, as an owner. @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid") */
export function editMember(ctx: Ctx<Actor>, input: Which & { role: MemberRole; doctorIds: string[] }): Promise<void> {
  return transact(ctx, async (outer) => {
    await requireActing(outer, input.hospitalId, "manage-staff");
    await lockPlace(outer, input.hospitalId);
    const tx = await requireActing(outer, input.hospitalId, "manage-staff");
    const row = await readMember(tx, input);
    if (row.state === "ended") throw new DomainError("not-found");
    const doctorIds = input.role === "owner" ? [] : [...new Set(input.doctorIds)].sort();
    await requirePlaceDoctors(tx, input.hospitalId, doctorIds);
    if (row.role === "owner" && input.role !== "owner" && row.state === "active") await requireAnotherOwner(tx, row);
    if (row.role === input.role && doctorIds.join() === row.doctorIds.join()) return;
    await tx.db.update(memberships).set({ role: input.role, doctorIds, updatedAt: tx.now }).where(eq(memberships.id, row.id));
    const details = { hospital: input.hospitalId, role: input.role, before: row.role, doctors: doctorIds.length };
    await recordChange(tx, "edit-member", { subject: { membership: row.id }, people: { user: row.userId }, details });
    // Open pages show what the new role may see.
    if (row.userId && row.state === "active") {
      if (row.role === "owner" && input.role !== "owner") await endInvitationsBy(tx, input.hospitalId, row.userId);
      await closeAccess(tx, row.userId);
    }
  });
}

async function readMember(tx: Ctx, { hospitalId, id }: Which): Promise<Row> {
  const [row] = isUuid(id)
    ? await tx.db
        .select()
        .from(memberships)
        .where(and(eq(memberships.id, id), eq(memberships.hospitalId, hospitalId)))
    : [];
  if (!row) throw new DomainError("not-found");
  return row;
}

/** Changes the state. The caller has locked the place. */
async function move(tx: Ctx<Actor>, row: Row, action: Exclude<MembershipAction, "accept">, by: MembershipActor): Promise<void> {
  if (!canMember(action, row.state, by))
    throw new DomainError("conflict", m.clinic_wrong_state({ state: membershipStateWord(row.state) }), { detail: { status: row.state } });
  const rule = MEMBERSHIP_ACTIONS[action];
  const loses = row.state === "active";
  // An administrator may remove the last one: an owner who is gone, for instance.
  if (loses && row.role === "owner" && by !== "admin") await requireAnotherOwner(tx, row);
  const stamp = { suspend: { suspendedAt: tx.now }, resume: { suspendedAt: null }, end: { endedAt: tx.now, ...INVITATION_OVER } }[action];
  await tx.db
    .update(memberships)
    .set({ ...stamp, state: rule.to, updatedAt: tx.now })
    .where(and(eq(memberships.id, row.id), inArray(memberships.state, [...rule.from])));
  const { id, hospitalId, role, userId } = row;
  const of = { subject: { membership: id }, people: { user: userId }, place: hospitalId };
  await recordChange(tx, `${action}-member`, { ...of, details: { hospital: hospitalId, role } });
  await recordChange(tx, `membership.${action}`, { ...of, data: { to: rule.to, role } });
  if (loses && row.userId) {
    await endInvitationsBy(tx, row.hospitalId, row.userId);
    await closeAccess(tx, row.userId);
  }
}

/** Ends the invitations of a user who manages the staff of a place no longer: they could otherwise return by a link to their own second address. */
async function endInvitationsBy(tx: Ctx<Actor>, hospitalId: string, userId: string): Promise<void> {
  const sent = await tx.db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.hospitalId, hospitalId), eq(memberships.invitedBy, userId), eq(memberships.state, "invited")));
  for (const { id } of sent) await move(tx, await readMember(tx, { hospitalId, id }), "end", "owner");
}
