import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { hospitals, practiceHours, practices } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";

const waitingAt = (hospitalId: string, where?: SQL) => and(eq(practices.hospitalId, hospitalId), eq(practices.state, "asked"), where);

async function nameOf(tx: Ctx<Actor>, hospitalId: string): Promise<string> {
  const [place] = await tx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, hospitalId));
  return place?.name ?? "";
}

/**
 * Opens the practices that waited for the consent of a place, or until it was confirmed. The job of the weekly hours opens their times. Their doctors
 * are notified, except one who accepted the place. @param doctorId only theirs
 */
export async function acceptPractices(tx: Ctx<Actor>, { hospitalId, doctorId }: { hospitalId: string; doctorId?: string }): Promise<void> {
  const opened = await tx.db
    .update(practices)
    .set({ state: "active", updatedAt: tx.now })
    .where(waitingAt(hospitalId, doctorId ? eq(practices.doctorId, doctorId) : undefined))
    .returning({ id: practices.id, doctorId: practices.doctorId });
  const place = await nameOf(tx, hospitalId);
  await recordChanges(
    tx,
    "practice.accept",
    opened.map((practice) => ({
      subject: { practice: practice.id },
      people: { doctor: practice.doctorId },
      place: hospitalId,
      data: { to: "active" },
      notify: { doctor: practice.doctorId === tx.actor.userId ? null : { params: { place }, target: { page: "doctor-practices" } } },
    })),
  );
}

/** Closes the practices that wait at a place. `reason`: for their doctors; null: they are not notified. @param where only these */
export async function closeWaitingPractices(
  tx: Ctx<Actor>,
  { hospitalId, reason, where }: { hospitalId: string; reason: string | null; where?: SQL },
): Promise<void> {
  const closed = await tx.db
    .update(practices)
    .set({ state: "closed", closedAt: tx.now, updatedAt: tx.now })
    .where(waitingAt(hospitalId, where))
    .returning({ id: practices.id, doctorId: practices.doctorId });
  if (!closed.length) return;
  await tx.db.delete(practiceHours).where(
    inArray(
      practiceHours.practiceId,
      closed.map(({ id }) => id),
    ),
  );
  const place = await nameOf(tx, hospitalId);
  await recordChanges(
    tx,
    "practice.close",
    closed.map((practice) => ({
      subject: { practice: practice.id },
      people: { doctor: practice.doctorId },
      place: hospitalId,
      data: { to: "closed" },
      details: { practice: practice.id, hospital: hospitalId },
      notify: { doctor: reason === null ? null : { params: { place, note: reason }, target: { page: "doctor-practices" } } },
    })),
  );
}

/** SQL: the doctor of a practice works at a place already, with their first practice or another one. */
export const worksAt = (hospitalId: string) => sql`(exists (select from practices p where p.doctor_id = ${practices.doctorId}
    and p.hospital_id = ${hospitalId} and p.state <> 'closed')
  or exists (select from doctors d where d.id = ${practices.doctorId} and d.hospital_id = ${hospitalId}))`;
