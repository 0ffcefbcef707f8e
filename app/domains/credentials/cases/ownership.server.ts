import { and, eq, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { doctors, hospitalReviewers, type RegistrationStatus, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";

/** The hospitals the acting person reviews doctors for, as a subquery. */
export const ownHospitals = (ctx: Ctx<Actor>) =>
  ctx.db.select({ id: hospitalReviewers.hospitalId }).from(hospitalReviewers).where(eq(hospitalReviewers.userId, ctx.actor.userId));

/** Whose case the acting person may act on: a doctor their own, a reviewer those of their hospitals, an administrator every one. */
export function ownCase(ctx: Ctx<Actor>, doctorId: string): SQL | undefined {
  const { role, userId } = ctx.actor;
  const it = eq(doctors.id, doctorId);
  if (role === "doctor") return and(it, eq(doctors.id, userId));
  if (role === "reviewer") return and(it, inArray(doctors.hospitalId, ownHospitals(ctx)));
  if (role === "admin") return it;
  return sql`false`;
}

/** The application was submitted at least once. */
export const wasSubmitted: SQL | undefined = or(ne(doctors.registrationStatus, "draft"), isNotNull(doctors.submittedAt));

/** Whose case the acting person may look at: the same, but what a doctor has not handed in yet is nobody's but theirs and the administrators'. */
export const visibleCase = (ctx: Ctx<Actor>, doctorId: string): SQL | undefined =>
  ctx.actor.role === "reviewer" ? and(ownCase(ctx, doctorId), ne(doctors.registrationStatus, "draft")) : ownCase(ctx, doctorId);

/** The same, and for reviewers also a case that was sent back and is being corrected; its documents stay closed to them. */
export const listedCase = (ctx: Ctx<Actor>, doctorId: string): SQL | undefined =>
  ctx.actor.role === "reviewer" ? and(ownCase(ctx, doctorId), wasSubmitted) : ownCase(ctx, doctorId);

export type LockedCase = {
  id: string;
  status: RegistrationStatus;
  hospitalId: string | null;
  submittedAt: Date | null;
  name: string;
  phone: string | null;
};

/**
 * The case, held until the end of the transaction: every command that decides about a doctor takes this lock first, so
 * that two people deciding at once come one after the other.
 * @throws DomainError("not-found")
 */
export async function lockCase(tx: Ctx<Actor>, doctorId: string): Promise<LockedCase> {
  if (!isUuid(doctorId)) throw new DomainError("not-found");
  const [row] = await tx.db
    .select({
      id: doctors.id,
      status: doctors.registrationStatus,
      hospitalId: doctors.hospitalId,
      submittedAt: doctors.submittedAt,
      name: doctors.fullName,
      phone: sql<string | null>`(select u.phone from users u where u.id = doctors.id)`,
    })
    .from(doctors)
    .where(ownCase(tx, doctorId))
    .for("update");
  if (!row) throw new DomainError("not-found");
  return row;
}

const phoneOf = async (tx: Ctx<Actor>, userId: string) =>
  (await tx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId)))[0]?.phone ?? null;

/** The same person may have an account of each role: they share the phone number, which is proven at each login. */
async function isActor(tx: Ctx<Actor>, other: { id: string; phone: string | null }): Promise<boolean> {
  if (other.id === tx.actor.userId) return true;
  return other.phone !== null && other.phone === (await phoneOf(tx, tx.actor.userId));
}

/** Nobody decides about themselves. @throws DomainError("forbidden") */
export async function refuseOwnCase(tx: Ctx<Actor>, found: LockedCase): Promise<void> {
  if (await isActor(tx, found)) throw new DomainError("forbidden", m.reviewer_own_case());
}

/** The two approvals are by two people. @throws DomainError("forbidden") */
export async function refuseSamePerson(tx: Ctx<Actor>, approverId: string): Promise<void> {
  if (await isActor(tx, { id: approverId, phone: await phoneOf(tx, approverId) }))
    throw new DomainError("forbidden", m.admin_same_person());
}
