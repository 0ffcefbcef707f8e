import { asc, eq, or, sql } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { HospitalStatus } from "./queries.server.ts";
import { hospitalStatusWord } from "./words.ts";

export type Hospital = typeof hospitals.$inferSelect;

/**
 * Locks a hospital in one of these statuses until the end of the transaction. Commands that also change its doctors lock them
 * first (`lockDoctorsOf`), because a submission locks the doctor before the hospital.
 * @throws DomainError("not-found" | "conflict")
 */
export async function lockHospital(tx: Ctx, id: string, statuses: readonly HospitalStatus[]): Promise<Hospital> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await tx.db.select().from(hospitals).where(eq(hospitals.id, id)).for("no key update");
  if (!row) throw new DomainError("not-found");
  if (!statuses.includes(row.status))
    throw new DomainError("conflict", m.admin_hospital_wrong_state({ status: hospitalStatusWord(row.status) }), {
      detail: { status: row.status },
    });
  return row;
}

/** Locks every doctor of a hospital, at whichever of their practices, in the order of their ids. */
export async function lockDoctorsOf(tx: Ctx, hospitalId: string): Promise<void> {
  const there = sql`${doctors.id} in (select p.doctor_id from practices p where p.hospital_id = ${hospitalId})`;
  await tx.db
    .select({ id: doctors.id })
    .from(doctors)
    .where(or(eq(doctors.hospitalId, hospitalId), there))
    .orderBy(asc(doctors.id))
    .for("update");
}

/**
 * Returns the hospital of a doctor's application at the submission. Follows a merge. A refused one is a conflict. Locks it until
 * the end of the transaction, so that a concurrent merge finds the doctor.
 * @throws DomainError("conflict")
 */
export async function hospitalForCase(tx: Ctx, id: string): Promise<Hospital> {
  const [row] = isUuid(id) ? await tx.db.select().from(hospitals).where(eq(hospitals.id, id)).for("share") : [];
  if (row?.status === "merged" && row.mergedInto) return hospitalForCase(tx, row.mergedInto);
  if (row?.status !== "active" && row?.status !== "pending") throw new DomainError("conflict", m.hospitals_hospital_gone());
  return row;
}
