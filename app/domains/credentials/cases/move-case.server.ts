import { and, eq, inArray, max } from "drizzle-orm";
import { type DocumentReason, doctors, hospitalReviewers, users, verificationDrafts, verificationEvents } from "#app/db/schema/index.ts";
import { isListedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { eraseIdentity } from "#app/domains/credentials/identity/erase-identity.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import type { DiscardedFile } from "#app/domains/platform/files/discard-files.server.ts";
import type { NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { notify } from "#app/domains/platform/notifications/notify.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Target } from "#app/lib/targets.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { notifyPagesChanged } from "#app/queue/pages.server.ts";
import { ownCase } from "./ownership.server.ts";
import { canVerify, VERIFICATION_ACTIONS, type VerificationAction } from "./verification.state.ts";
import { documentWord, statusWord } from "./words.ts";

const KIND: Partial<Record<VerificationAction, NotificationKind>> = {
  submit: "doctor-submitted",
  "hospital-approve": "doctor-hospital-approved",
  "hospital-reject": "doctor-rejected",
  approve: "doctor-verified",
  reject: "doctor-rejected",
  return: "doctor-rejected",
  suspend: "doctor-suspended",
  reinstate: "doctor-reinstated",
};

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
  const mine = ownCase(tx, doctorId);
  const [before] = await tx.db
    .select({ status: doctors.registrationStatus, name: doctors.fullName, hospitalId: doctors.hospitalId })
    .from(doctors)
    .where(mine)
    .for("update");
  if (!before) throw new DomainError("not-found");
  if (!canVerify(action, before.status, role))
    throw new DomainError("conflict", m.application_wrong_state({ status: statusWord(before.status) }), {
      detail: { status: before.status },
    });
  const to: RegistrationStatus = rule.to;
  const stamps = action === "submit" ? { submittedAt: tx.now } : action === "approve" ? { verifiedAt: tx.now } : {};
  await tx.db
    .update(doctors)
    .set({ ...input.set, ...stamps, registrationStatus: to, updatedAt: tx.now })
    .where(and(eq(doctors.id, doctorId), inArray(doctors.registrationStatus, [...rule.from])));
  // Concurrent requests have the times of their start. This preserves the order of their effects in the history.
  const [last] = await tx.db
    .select({ at: max(verificationEvents.at) })
    .from(verificationEvents)
    .where(eq(verificationEvents.doctorId, doctorId));
  const at = last?.at && last.at >= tx.now ? new Date(last.at.getTime() + 1) : tx.now;
  await tx.db.insert(verificationEvents).values({
    doctorId,
    action,
    fromStatus: before.status,
    toStatus: to,
    byUserId: userId,
    byRole: role,
    note: note ?? null,
    reasons,
    at,
  });
  await recordAudit(tx, {
    action: `${action}-doctor`,
    subjectType: "doctor",
    subjectId: doctorId,
    personId: doctorId,
    details: { from: before.status, to },
  });
  await recordEvent(tx, {
    kind: `doctor.${action}`,
    subjectId: doctorId,
    doctorId,
    hospitalId: input.set?.hospitalId ?? before.hospitalId,
    data: { to },
  });
  const notice = [...reasons.map((r) => `${documentWord(r.kind)}: ${r.reason}`), ...(note ? [note] : [])].join("\n");
  await notifyRecipients(tx, {
    doctorId,
    action,
    name: input.set?.fullName ?? before.name,
    hospitalId: input.set?.hospitalId ?? before.hospitalId,
    note: notice,
  });
  // The profile has the values now, so the encrypted draft is deleted.
  if (to === "verified") await tx.db.delete(verificationDrafts).where(eq(verificationDrafts.doctorId, doctorId));
  if ([to, before.status].some((registrationStatus) => isListedDoctor({ registrationStatus }))) await notifyPagesChanged(tx);
  return to === "verified" ? eraseIdentity(tx, doctorId) : [];
}

async function notifyRecipients(
  tx: Ctx<Actor>,
  about: { doctorId: string; action: VerificationAction; name: string; hospitalId: string | null; note: string },
): Promise<void> {
  const kind = KIND[about.action];
  if (!kind) return;
  const { notifies } = VERIFICATION_ACTIONS[about.action];
  const params = { doctor: about.name, note: about.note };
  for (const who of notifies) {
    if (who === "doctor") await notify(tx, about.doctorId, kind, params, { page: "application-status" });
    else {
      const ids =
        who === "reviewers"
          ? about.hospitalId
            ? await tx.db
                .select({ id: users.id })
                .from(hospitalReviewers)
                .innerJoin(users, eq(users.id, hospitalReviewers.userId))
                .where(and(eq(hospitalReviewers.hospitalId, about.hospitalId), eq(users.status, "active")))
            : []
          : await tx.db
              .select({ id: users.id })
              .from(users)
              .where(and(eq(users.role, "admin"), eq(users.status, "active")));
      const target: Target = { page: who === "reviewers" ? "reviewer-case" : "admin-case", id: about.doctorId };
      for (const { id } of ids) await notify(tx, id, "case-waiting", params, target);
    }
  }
}
