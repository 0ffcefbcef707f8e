import { and, asc, eq, inArray } from "drizzle-orm";
import { caseAssignments, doctors, hospitalReviewers, hospitals, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Assign } from "./assign-case.schema.ts";
import { assigneeId, assigneeName } from "./assignee.server.ts";
import { lockCase, ownCase, wasSubmitted } from "./ownership.server.ts";

/** No hospital has this id. */
const NONE = "00000000-0000-0000-0000-000000000000";

/** `to` null: to no one. `from`: who had it when the form was made. */
type Assignment = { doctorId: string; to: string | null; from: string | null };

/**
 * Assigns a waiting case to a reviewer of its hospital, or to no one. Reviewers take cases themselves and give back their own,
 * administrators assign any. An assignment is no lock: every reviewer of the hospital may still decide. Of two at once the first wins.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function assignCase(ctx: Ctx<Actor>, { doctorId, to, from }: Assignment): Promise<void> {
  return transact(ctx, async (tx) => {
    const { role, userId } = tx.actor;
    if (role !== "admin" && role !== "reviewer") throw new DomainError("forbidden");
    if (role === "reviewer" && (to ?? from) !== userId) throw new DomainError("forbidden");
    const found = await lockCase(tx, doctorId);
    if (found.status !== "under review by hospital") throw new DomainError("conflict", m.cases_assign_closed());
    const [now] = await tx.db.select({ id: assigneeId, name: assigneeName }).from(doctors).where(eq(doctors.id, doctorId));
    const current = now?.id ?? null;
    if (current === to) return;
    if (current !== from)
      throw new DomainError(
        "conflict",
        current ? m.cases_assign_taken({ name: now?.name || m.cases_a_colleague() }) : m.cases_assign_freed(),
      );
    if (to === null) await tx.db.delete(caseAssignments).where(eq(caseAssignments.doctorId, doctorId));
    else {
      const [reviewer] = await tx.db
        .select({ id: users.id })
        .from(hospitalReviewers)
        .innerJoin(users, eq(users.id, hospitalReviewers.userId))
        .where(and(eq(hospitalReviewers.hospitalId, found.hospitalId ?? NONE), eq(users.id, to), eq(users.status, "active")));
      if (!reviewer) throw new DomainError("conflict", m.cases_assign_no_reviewer());
      const values = { userId: to, createdAt: tx.now };
      await tx.db
        .insert(caseAssignments)
        .values({ doctorId, ...values })
        .onConflictDoUpdate({ target: caseAssignments.doctorId, set: values });
    }
    const notice = { params: { doctor: found.name }, target: { page: "reviewer-case", id: doctorId } } as const;
    await recordChange(tx, "assign-case", {
      people: { doctor: doctorId, assignee: to },
      details: { reviewer: to },
      notify: { assignee: to && to !== userId ? notice : null },
    });
  });
}

/** `skipped`: cases that another user assigned or decided meanwhile. */
type Assigned = { done: number; skipped: number };

/** Takes each of the chosen cases that is waiting and unassigned, for the acting reviewer. */
export const takeCases = (ctx: Ctx<Actor>, ids: readonly string[]): Promise<Assigned> =>
  assignEach(
    ctx,
    [...new Set(ids)].map((doctorId) => ({ doctorId, to: ctx.actor.userId, from: null })),
  );

/** Assigns each case to the reviewer chosen for its hospital, as an administrator. */
export async function assignCases(ctx: Ctx<Actor>, { cases, reviewers }: Assign): Promise<Assigned> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const of = await hospitalsOf(
    ctx,
    cases.map(({ id }) => id),
  );
  const chosen = new Map(reviewers.map(({ hospital, user }) => [hospital, user]));
  const known = cases.flatMap(({ id, from }) => {
    const to = chosen.get(of.get(id) ?? "");
    return to === undefined ? [] : [{ doctorId: id, to, from }];
  });
  const { done, skipped } = await assignEach(ctx, known);
  return { done, skipped: skipped + cases.length - known.length };
}

/** One transaction for each, in the order of their ids: a conflict of one case leaves the others assigned. */
async function assignEach(ctx: Ctx<Actor>, assignments: Assignment[]): Promise<Assigned> {
  let done = 0;
  for (const assignment of assignments) {
    try {
      await assignCase(ctx, assignment);
      done++;
    } catch (error) {
      if (!(error instanceof DomainError) || (error.code !== "conflict" && error.code !== "not-found")) throw error;
    }
  }
  return { done, skipped: assignments.length - done };
}

async function hospitalsOf(ctx: Ctx<Actor>, ids: string[]): Promise<Map<string, string | null>> {
  const rows = await ctx.db.select({ id: doctors.id, hospitalId: doctors.hospitalId }).from(doctors).where(inArray(doctors.id, ids));
  return new Map(rows.map(({ id, hospitalId }) => [id, hospitalId]));
}

/** Returns who has a case, for the acting reviewer. `open`: it can be assigned. @throws DomainError("not-found") */
export async function getAssignment(ctx: Ctx<Actor>, doctorId: string | undefined) {
  if (!isUuid(doctorId) || ctx.actor.role !== "reviewer") throw new DomainError("not-found");
  const [found] = await ctx.db
    .select({
      id: doctors.id,
      name: doctors.fullName,
      status: doctors.registrationStatus,
      assignedTo: assigneeId,
      assignedName: assigneeName,
    })
    .from(doctors)
    .where(and(ownCase(ctx, doctorId), wasSubmitted));
  if (!found) throw new DomainError("not-found");
  const { status, ...rest } = found;
  return { ...rest, open: status === "under review by hospital" };
}

export type AssignGroup = {
  hospital: { id: string; name: string };
  cases: { id: string; name: string; assignedTo: string | null; assignedName: string | null }[];
  reviewers: { id: string; name: string }[];
};

/** Returns the waiting cases of these ids by hospital, with the reviewers of each. @throws DomainError("forbidden" | "not-found") when none waits */
export async function listToAssign(ctx: Ctx<Actor>, ids: readonly string[]): Promise<AssignGroup[]> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const known = [...new Set(ids)].filter(isUuid).slice(0, 50);
  const cases = known.length
    ? await ctx.db
        .select({
          id: doctors.id,
          name: doctors.fullName,
          hospitalId: hospitals.id,
          hospital: hospitals.name,
          assignedTo: assigneeId,
          assignedName: assigneeName,
        })
        .from(doctors)
        .innerJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
        .where(and(inArray(doctors.id, known), eq(doctors.registrationStatus, "under review by hospital")))
        .orderBy(asc(hospitals.name), asc(hospitals.id), asc(doctors.submittedAt), asc(doctors.id))
    : [];
  if (!cases.length) throw new DomainError("not-found");
  const reviewers = await ctx.db
    .select({ hospitalId: hospitalReviewers.hospitalId, id: users.id, name: users.staffName, email: users.email })
    .from(hospitalReviewers)
    .innerJoin(users, eq(users.id, hospitalReviewers.userId))
    .where(and(inArray(hospitalReviewers.hospitalId, [...new Set(cases.map(({ hospitalId }) => hospitalId))]), eq(users.status, "active")))
    .orderBy(asc(users.staffName), asc(users.id));
  return [...Map.groupBy(cases, ({ hospitalId }) => hospitalId)].map(([id, of]) => ({
    hospital: { id, name: of[0]!.hospital },
    cases: of.map(({ id, name, assignedTo, assignedName }) => ({ id, name, assignedTo, assignedName })),
    reviewers: reviewers.filter(({ hospitalId }) => hospitalId === id).map(({ id, name, email }) => ({ id, name: name || (email ?? "") })),
  }));
}
