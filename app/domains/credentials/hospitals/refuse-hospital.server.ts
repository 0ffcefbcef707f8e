import { and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import { doctors, hospitals, reviewerInvitations } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { moveCase } from "#app/domains/credentials/cases/move-case.server.ts";
import { endPlace } from "#app/domains/places/members/move-members.server.ts";
import { closeWaitingPractices } from "#app/domains/places/members/waiting-practices.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { lockDoctorsOf, lockHospital } from "./lock-hospital.server.ts";

/**
 * Refuses a hospital that a doctor entered. Its waiting cases return to their doctors with the reason (action `return` of the
 * state table), practices that wait for it close. Open invitations end. A hospital with verified doctors can only be merged.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function refuseHospital(ctx: Ctx<Actor>, input: { id: string; reason: string }): Promise<{ returned: number; name: string }> {
  requireAdmin(ctx);
  const { id, reason } = input;
  if (!isUuid(id)) throw new DomainError("not-found");
  return transact(ctx, async (tx) => {
    await lockDoctorsOf(tx, id);
    const hospital = await lockHospital(tx, id, ["pending"]);
    const [working] = await tx.db
      .select({ id: doctors.id })
      .from(doctors)
      .where(and(eq(doctors.hospitalId, id), inArray(doctors.registrationStatus, ["verified", "suspended"])))
      .limit(1);
    if (working) throw new DomainError("conflict", m.hospitals_refuse_has_doctors());
    const waiting = await tx.db
      .select({ id: doctors.id })
      .from(doctors)
      .where(and(eq(doctors.hospitalId, id), inArray(doctors.registrationStatus, ["under review by hospital", "pending admin approval"])))
      .orderBy(asc(doctors.id));
    await tx.db.update(hospitals).set({ status: "refused", updatedAt: tx.now }).where(eq(hospitals.id, id));
    await tx.db
      .update(reviewerInvitations)
      .set({ expiresAt: tx.now })
      .where(
        and(eq(reviewerInvitations.hospitalId, id), isNull(reviewerInvitations.acceptedAt), gt(reviewerInvitations.expiresAt, tx.now)),
      );
    await endPlace(tx, id);
    await closeWaitingPractices(tx, { hospitalId: id, reason });
    for (const doctor of waiting)
      await moveCase(tx, { doctorId: doctor.id, action: "return", note: m.hospitals_refuse_note({ hospital: hospital.name, reason }) });
    await recordChange(tx, "refuse-hospital", { subject: { hospital: id }, details: { reason, returned: waiting.length } });
    return { returned: waiting.length, name: hospital.name };
  });
}
