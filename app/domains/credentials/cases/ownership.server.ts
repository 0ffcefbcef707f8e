import { and, eq, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { doctors, hospitalReviewers, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Subquery: the hospitals of the acting reviewer. */
export const ownHospitals = (ctx: Ctx<Actor>) =>
  ctx.db.select({ id: hospitalReviewers.hospitalId }).from(hospitalReviewers).where(eq(hospitalReviewers.userId, ctx.actor.userId));

/**
 * Returns the condition for cases the actor may act on: doctors their own, reviewers those of their hospitals, administrators
 * all.
 */
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

/**
 * Returns the condition for cases the actor may read: the same, but unsubmitted ones only for their doctor and administrators.
 */
export const visibleCase = (ctx: Ctx<Actor>, doctorId: string): SQL | undefined =>
  ctx.actor.role === "reviewer" ? and(ownCase(ctx, doctorId), ne(doctors.registrationStatus, "draft")) : ownCase(ctx, doctorId);

/** The same, and for reviewers also a rejected case in correction, without its documents. */
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
 * Locks the case until the end of the transaction. Every decision about a doctor locks it first, so that concurrent decisions are
 * serialized.
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

/** True if the accounts belong to the same person: they share the phone number, which every login verifies. */
async function isActor(tx: Ctx<Actor>, other: { id: string; phone: string | null }): Promise<boolean> {
  if (other.id === tx.actor.userId) return true;
  return other.phone !== null && other.phone === (await phoneOf(tx, tx.actor.userId));
}

/** Throws if the actor decides about their own account. @throws DomainError("forbidden") */
export async function refuseOwnCase(tx: Ctx<Actor>, found: LockedCase): Promise<void> {
  if (await isActor(tx, found)) throw new DomainError("forbidden", m.cases_own_case());
}

/** Throws if the actor gave the first approval too. @throws DomainError("forbidden") */
export async function refuseSamePerson(tx: Ctx<Actor>, approverId: string): Promise<void> {
  if (await isActor(tx, { id: approverId, phone: await phoneOf(tx, approverId) }))
    throw new DomainError("forbidden", m.admin_same_person());
}
