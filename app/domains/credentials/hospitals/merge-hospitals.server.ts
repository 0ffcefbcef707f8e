import { and, asc, eq, inArray, sql } from "drizzle-orm";
import {
  appointments,
  clinicExports,
  clinicPatients,
  doctors,
  hospitalReviewers,
  hospitals,
  imports,
  inboundMessages,
  messageThreads,
  outboundMessages,
  practices,
  reviewerInvitations,
  users,
} from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { moveReviews } from "#app/domains/directory/ratings.server.ts";
import { moveMembers } from "#app/domains/places/members/move-members.server.ts";
import { askForWaiting } from "#app/domains/places/members/place-doctors.server.ts";
import { closeWaitingPractices, worksAt } from "#app/domains/places/members/waiting-practices.server.ts";
import { recordChange, recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { lockDoctorsOf, lockHospital } from "./lock-hospital.server.ts";

/**
 * Merges a duplicate hospital into another: moves doctors, reviewers, open invitations and the register of patients. The first one redirects to the second.
 * Notifies new reviewers of waiting cases.
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid")
 */
export async function mergeHospitals(ctx: Ctx<Actor>, input: { id: string; into: string }): Promise<void> {
  requireAdmin(ctx);
  const { id, into } = input;
  if (!isUuid(id)) throw new DomainError("not-found");
  const choose = () => new DomainError("invalid", m.hospitals_merge_choose(), { fields: { into: [m.hospitals_merge_choose()] } });
  if (!isUuid(into) || id === into) throw choose();
  return transact(ctx, async (tx) => {
    await lockDoctorsOf(tx, id);
    // Locks both in the order of their ids, to prevent deadlocks.
    await tx.db
      .select({ id: hospitals.id })
      .from(hospitals)
      .where(inArray(hospitals.id, [id, into]))
      .orderBy(asc(hospitals.id))
      .for("no key update");
    const from = await lockHospital(tx, id, ["active", "pending"]);
    const target = await lockHospital(tx, into, ["active"]).catch((error: unknown) => {
      throw error instanceof DomainError ? choose() : error;
    });
    const moved = await tx.db
      .update(doctors)
      .set({ hospitalId: into })
      .where(eq(doctors.hospitalId, id))
      .returning({ id: doctors.id, name: doctors.fullName, status: doctors.registrationStatus });
    // Of one that waits nothing is lost.
    await closeWaitingPractices(tx, { hospitalId: id, reason: null, where: worksAt(into) });
    // A doctor with a practice at each of the two keeps both: their hours and fees differ.
    const isThere = sql`exists (select from practices p where p.doctor_id = ${practices.doctorId} and p.hospital_id = ${into} and p.state <> 'closed')`;
    await tx.db
      .update(practices)
      .set({ hospitalId: into, updatedAt: tx.now })
      .where(and(eq(practices.hospitalId, id), sql`not ${isThere}`));
    const { moved: movedReviewers, informed } = await moveReviewers(tx, id, into);
    await moveRecords(tx, id, into);
    // Hospitals merged into the first one before now redirect to the second.
    await tx.db.update(hospitals).set({ mergedInto: into, updatedAt: tx.now }).where(eq(hospitals.mergedInto, id));
    await tx.db.update(hospitals).set({ status: "merged", mergedInto: into, updatedAt: tx.now }).where(eq(hospitals.id, id));
    await moveReviews(tx, id, into);
    await moveMembers(tx, id, into);
    await askForWaiting(tx, into);
    const known = new Set(movedReviewers);
    const reviewers = informed.filter((reviewer) => !known.has(reviewer));
    const details = { into, name: from.name, intoName: target.name, doctors: moved.length, reviewers: movedReviewers.length };
    await recordChange(tx, "merge-hospitals", { subject: { hospital: id }, details });
    await recordChanges(
      tx,
      "move-doctor-to-hospital",
      moved.map((doctor) => ({
        people: { doctor: doctor.id, reviewers },
        details: { from: id, to: into },
        notify: {
          reviewers:
            doctor.status === "under review by hospital"
              ? { params: { doctor: doctor.name, note: "" }, target: { page: "reviewer-case", id: doctor.id } }
              : null,
        },
      })),
    );
  });
}

/** Moves the reviewers. Returns their ids, and those of the active reviewers that the second hospital had before. */
async function moveReviewers(tx: Ctx, id: string, into: string) {
  const reviewersBefore = await tx.db
    .select({ id: hospitalReviewers.userId })
    .from(hospitalReviewers)
    .where(eq(hospitalReviewers.hospitalId, id));
  const toNotify = await tx.db
    .select({ id: users.id })
    .from(hospitalReviewers)
    .innerJoin(users, eq(users.id, hospitalReviewers.userId))
    .where(and(eq(hospitalReviewers.hospitalId, into), eq(users.status, "active")));
  if (reviewersBefore.length) {
    await tx.db
      .insert(hospitalReviewers)
      .values(reviewersBefore.map((r) => ({ hospitalId: into, userId: r.id, createdAt: tx.now })))
      .onConflictDoNothing();
    await tx.db.delete(hospitalReviewers).where(eq(hospitalReviewers.hospitalId, id));
  }
  return { moved: reviewersBefore.map((r) => r.id), informed: toNotify.map((r) => r.id) };
}

/** Moves what the hospital has besides doctors, members and reviewers. */
async function moveRecords(tx: Ctx, id: string, into: string): Promise<void> {
  await tx.db.update(reviewerInvitations).set({ hospitalId: into }).where(eq(reviewerInvitations.hospitalId, id));
  await tx.db.update(appointments).set({ hospitalId: into }).where(eq(appointments.hospitalId, id));
  // `updatedAt` stays: undoing an import removes only patients that have not changed since.
  await tx.db.update(clinicPatients).set({ hospitalId: into }).where(eq(clinicPatients.hospitalId, id));
  await tx.db.update(imports).set({ hospitalId: into }).where(eq(imports.hospitalId, id));
  await tx.db.update(clinicExports).set({ hospitalId: into }).where(eq(clinicExports.hospitalId, id));
  for (const table of [messageThreads, inboundMessages, outboundMessages])
    await tx.db.update(table).set({ hospitalId: into }).where(eq(table.hospitalId, id));
}
