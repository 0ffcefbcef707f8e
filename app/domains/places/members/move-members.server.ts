import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { memberships, placeDoctors, webhookEndpoints } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { INVITATION_OVER } from "./accept-membership.server.ts";
import { closeAccess } from "./lock-place.server.ts";

/**
 * Moves staff and doctors of a merged hospital to the other one, in the transaction of `tx`. Rows that exist there already end here.
 * Where the other one has an owner, the staff arrive suspended: that owner decides who of them sees its patients. The caller has locked both.
 */
export async function moveMembers(tx: Ctx<Actor>, from: string, into: string): Promise<void> {
  const there = sql`select from memberships o where o.hospital_id = ${into} and (
    (o.state in ('active', 'suspended') and o.user_id = ${memberships.userId}) or (o.state = 'invited' and o.email = ${memberships.email}))`;
  await endMembers(tx, from, sql`exists (${there})`);
  if (await hasOwner(tx, into)) await suspendMembers(tx, from);
  await tx.db.update(memberships).set({ hospitalId: into, updatedAt: tx.now }).where(eq(memberships.hospitalId, from));
  const doctorThere = sql`select from place_doctors o where o.hospital_id = ${into} and o.doctor_id = ${placeDoctors.doctorId} and o.state <> 'ended'`;
  await endDoctors(tx, from, sql`exists (${doctorThere})`);
  await tx.db.update(placeDoctors).set({ hospitalId: into, updatedAt: tx.now }).where(eq(placeDoctors.hospitalId, from));
  // Paused: an owner decides whether a partner gets the events of the other place too.
  await tx.db
    .update(webhookEndpoints)
    .set({ hospitalId: into, state: "paused", updatedAt: tx.now })
    .where(eq(webhookEndpoints.hospitalId, from));
}

/** Ends staff, invitations and doctors of a refused hospital, in the transaction of `tx`. The caller has locked it. */
export async function endPlace(tx: Ctx<Actor>, hospitalId: string): Promise<void> {
  await endMembers(tx, hospitalId);
  await endDoctors(tx, hospitalId);
}

async function endMembers(tx: Ctx<Actor>, hospitalId: string, where = sql`true`): Promise<void> {
  const ended = await tx.db
    .update(memberships)
    .set({ state: "ended", endedAt: tx.now, updatedAt: tx.now, ...INVITATION_OVER })
    .where(and(eq(memberships.hospitalId, hospitalId), inArray(memberships.state, ["invited", "active", "suspended"]), where))
    .returning({ id: memberships.id, userId: memberships.userId, role: memberships.role });
  await recordChanges(
    tx,
    "membership.end",
    ended.map(({ id, role }) => ({ subject: { membership: id }, place: hospitalId, data: { to: "ended", role } })),
  );
  for (const { userId } of ended) if (userId) await closeAccess(tx, userId);
}

async function hasOwner(tx: Ctx<Actor>, hospitalId: string): Promise<boolean> {
  const owners = and(eq(memberships.hospitalId, hospitalId), eq(memberships.role, "owner"), eq(memberships.state, "active"));
  return (await tx.db.$count(memberships, owners)) > 0;
}

/** Suspends staff, and ends their open invitations, which would make others active. */
async function suspendMembers(tx: Ctx<Actor>, hospitalId: string): Promise<void> {
  await endMembers(tx, hospitalId, sql`${memberships.state} = 'invited'`);
  const suspended = await tx.db
    .update(memberships)
    .set({ state: "suspended", suspendedAt: tx.now, updatedAt: tx.now })
    .where(and(eq(memberships.hospitalId, hospitalId), eq(memberships.state, "active")))
    .returning({ id: memberships.id, userId: memberships.userId, role: memberships.role });
  await recordChanges(
    tx,
    "membership.suspend",
    suspended.map(({ id, role }) => ({ subject: { membership: id }, place: hospitalId, data: { to: "suspended", role } })),
  );
  for (const { userId } of suspended) if (userId) await closeAccess(tx, userId);
}

async function endDoctors(tx: Ctx<Actor>, hospitalId: string, where = sql`true`): Promise<void> {
  const ended = await tx.db
    .update(placeDoctors)
    .set({ state: "ended", endedAt: tx.now, updatedAt: tx.now })
    .where(and(eq(placeDoctors.hospitalId, hospitalId), ne(placeDoctors.state, "ended"), where))
    .returning({ id: placeDoctors.id, doctorId: placeDoctors.doctorId });
  const of = { place: hospitalId, data: { to: "ended" } };
  await recordChanges(
    tx,
    "place-doctor.end",
    ended.map(({ id, doctorId }) => ({ ...of, subject: { "place-doctor": id }, people: { doctor: doctorId } })),
  );
}
