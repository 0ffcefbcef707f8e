import { asc, eq } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { HospitalStatus } from "./queries.server.ts";
import { hospitalStatusWord } from "./words.ts";

export type Hospital = typeof hospitals.$inferSelect;

/** Only administrators change hospitals. @throws DomainError("forbidden") */
export function requireAdmin(ctx: Ctx<Actor>): void {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
}

/**
 * A hospital in one of these statuses, held until the end of the transaction. Whoever also changes its doctors holds them
 * first (`holdDoctorsOf`): an application is handed in with the doctor's row held before the hospital's.
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

/** Holds every doctor of a hospital, in one order. */
export async function holdDoctorsOf(tx: Ctx, hospitalId: string): Promise<void> {
  await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.hospitalId, hospitalId)).orderBy(asc(doctors.id)).for("update");
}

/**
 * The hospital a doctor's application is for, at the moment it is handed in: one that was merged stands for the other, one
 * that was refused cannot be chosen. It stays as it is until the end of the transaction, so that a merge at the same
 * moment finds the doctor.
 * @throws DomainError("conflict")
 */
export async function hospitalForCase(tx: Ctx, id: string): Promise<Hospital> {
  const [row] = isUuid(id) ? await tx.db.select().from(hospitals).where(eq(hospitals.id, id)).for("share") : [];
  if (row?.status === "merged" && row.mergedInto) return hospitalForCase(tx, row.mergedInto);
  if (row?.status !== "active" && row?.status !== "pending") throw new DomainError("conflict", m.admin_hospital_gone());
  return row;
}
