import { and, eq, inArray, max } from "drizzle-orm";
import { type DocumentReason, doctors, hospitalReviewers, users, verificationDrafts, verificationEvents } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { eraseIdentity } from "#app/domains/credentials/identity/erase-identity.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { DiscardedFile } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { ownCase } from "./ownership.server.ts";
import { canVerify, VERIFICATION_ACTIONS, type VerificationAction } from "./verification.state.ts";
import { documentWord, statusWord } from "./words.ts";

/**
 * Changes a case's status in the transaction of `tx`: the conditional update serializes concurrent decisions. Writes the event,
 * the audit row, the notifications and the emails in the same transaction. `where` of the command checks ownership (the
 * reviewer's hospital, the doctor's own case) in the same statement. Erases a verified doctor's Aadhaar number and scan.
 * @returns files to pass to `removeDiscarded` after the commit
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function moveCase(
  tx: Ctx<Actor>,
  input: {
    doctorId: string;
    action: VerificationAction;
    note?: string | undefined;
    reasons?: DocumentReason[];
    set?: Partial<typeof doctors.$inferInsert>;
  },
): Promise<DiscardedFile[]> {
  const { doctorId, action, note, reasons = [] } = input;
  if (!isUuid(doctorId)) throw new DomainError("not-found");
  const rule = VERIFICATION_ACTIONS[action];
  const { role, userId } = tx.actor;
  if (!(rule.by as readonly string[]).includes(role)) throw new DomainError("forbidden");
  const before = await lockCase(tx, doctorId, action);
  const to: RegistrationStatus = rule.to;
  const stamps = action === "submit" ? { submittedAt: tx.now } : action === "approve" ? { verifiedAt: tx.now } : {};
  await tx.db
    .update(doctors)
    .set({ ...input.set, ...stamps, registrationStatus: to, updatedAt: tx.now })
    .where(and(eq(doctors.id, doctorId), inArray(doctors.registrationStatus, [...rule.from])));
  await tx.db.insert(verificationEvents).values({
    doctorId,
    action,
    fromStatus: before.status,
    toStatus: to,
    byUserId: userId,
    byRole: role,
    note: note ?? null,
    reasons,
    at: await timeOfEvent(tx, doctorId),
  });
  const hospitalId = input.set?.hospitalId ?? before.hospitalId;
  const params = {
    doctor: input.set?.fullName ?? before.name,
    note: [...reasons.map((r) => `${documentWord(r.kind)}: ${r.reason}`), ...(note ? [note] : [])].join("\n"),
  };
  const notifies: readonly string[] = rule.notifies;
  const reviewers = notifies.includes("reviewers") && hospitalId ? await listReviewers(tx, hospitalId) : [];
  const administrators = notifies.includes("admins") ? await listAdmins(tx) : [];
  await recordChange(tx, `doctor.${action}`, {
    people: { doctor: doctorId, reviewers, administrators },
    place: hospitalId,
    data: { to },
    details: { from: before.status, to },
    notify: {
      doctor: notifies.includes("doctor") ? { params, target: { page: "application-status" } } : null,
      reviewers: reviewers.length ? { params, target: { page: "reviewer-case", id: doctorId } } : null,
      administrators: administrators.length ? { params, target: { page: "admin-case", id: doctorId } } : null,
    },
  });
  // The profile has the values now, so the encrypted draft is deleted.
  if (to === "verified") await tx.db.delete(verificationDrafts).where(eq(verificationDrafts.doctorId, doctorId));
  return to === "verified" ? eraseIdentity(tx, doctorId) : [];
}

/** @throws DomainError("not-found") or "conflict" when the status does not allow the action */
async function lockCase(tx: Ctx<Actor>, doctorId: string, action: VerificationAction) {
  const [before] = await tx.db
    .select({ status: doctors.registrationStatus, name: doctors.fullName, hospitalId: doctors.hospitalId })
    .from(doctors)
    .where(ownCase(tx, doctorId))
    .for("update");
  if (!before) throw new DomainError("not-found");
  if (!canVerify(action, before.status, tx.actor.role))
    throw new DomainError("conflict", m.application_wrong_state({ status: statusWord(before.status) }), {
      detail: { status: before.status },
    });
  return before;
}

/** Concurrent requests have the times of their start. This preserves the order of their effects in the history. */
async function timeOfEvent(tx: Ctx, doctorId: string): Promise<Date> {
  const [last] = await tx.db
    .select({ at: max(verificationEvents.at) })
    .from(verificationEvents)
    .where(eq(verificationEvents.doctorId, doctorId));
  return last?.at && last.at >= tx.now ? new Date(last.at.getTime() + 1) : tx.now;
}

/** Returns the reviewers of a hospital. */
export async function listReviewers(tx: Ctx, hospitalId: string): Promise<string[]> {
  const rows = await tx.db
    .select({ id: users.id })
    .from(hospitalReviewers)
    .innerJoin(users, eq(users.id, hospitalReviewers.userId))
    .where(and(eq(hospitalReviewers.hospitalId, hospitalId), eq(users.status, "active")));
  return rows.map(({ id }) => id);
}

export async function listAdmins(tx: Ctx): Promise<string[]> {
  const rows = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), eq(users.status, "active")));
  return rows.map(({ id }) => id);
}
