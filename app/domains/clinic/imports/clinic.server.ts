import { and, eq, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { clinicExports, doctors, hospitals, imports } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** Whose patients: of a hospital or clinic, or of a doctor's own practice. */
export type Clinic = { hospitalId: string; doctorId?: undefined } | { doctorId: string; hospitalId?: undefined };

/** SQL: the row belongs to the clinic. */
export const isOf = (table: { hospitalId: AnyPgColumn; doctorId: AnyPgColumn }, clinic: Clinic): SQL =>
  clinic.hospitalId === undefined ? eq(table.doctorId, clinic.doctorId) : eq(table.hospitalId, clinic.hospitalId);
export const columnsOf = (clinic: Clinic) => ({ hospitalId: clinic.hospitalId ?? null, doctorId: clinic.doctorId ?? null });
export const clinicOf = (row: { hospitalId: string | null; doctorId: string | null }): Clinic =>
  row.hospitalId === null ? { doctorId: row.doctorId ?? "" } : { hospitalId: row.hospitalId };

/**
 * Returns the context of an actor who may move data of the clinic in and out: an owner of the hospital or clinic, or the verified doctor.
 * Every command starts with it, also inside its transaction.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function actForClinic(ctx: Ctx<Actor>, clinic: Clinic): Promise<Ctx<Actor>> {
  if (clinic.hospitalId !== undefined) return requireActing(ctx, clinic.hospitalId, "move-data");
  if (ctx.actor.role !== "doctor" || ctx.actor.userId !== clinic.doctorId) throw new DomainError("not-found");
  const [own] = await ctx.db
    .select({ id: doctors.id })
    .from(doctors)
    .where(and(eq(doctors.id, clinic.doctorId), listedDoctor(doctors)));
  if (!own) throw new DomainError("forbidden");
  return ctx;
}

/** Returns whose import or export it is. The caller's right is checked by the command. @throws DomainError("not-found") */
async function clinicOfRow(ctx: Ctx, table: typeof imports | typeof clinicExports, id: string): Promise<Clinic> {
  const [row] = isUuid(id)
    ? await ctx.db.select({ hospitalId: table.hospitalId, doctorId: table.doctorId }).from(table).where(eq(table.id, id))
    : [];
  if (!row) throw new DomainError("not-found");
  return clinicOf(row);
}
export const clinicOfImport = (ctx: Ctx, id: string) => clinicOfRow(ctx, imports, id);
export const clinicOfExport = (ctx: Ctx, id: string) => clinicOfRow(ctx, clinicExports, id);

/** Returns the name of the clinic, or of the doctor. */
export async function nameOfClinic(ctx: Ctx, clinic: Clinic): Promise<string> {
  const [row] =
    clinic.hospitalId === undefined
      ? await ctx.db.select({ name: doctors.fullName }).from(doctors).where(eq(doctors.id, clinic.doctorId))
      : await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, clinic.hospitalId));
  return row?.name ?? "";
}
