import { and, asc, eq, type SQL } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { EDIT_CATEGORIES } from "./edit-categories.ts";

const record = {
  id: doctors.id,
  name: doctors.fullName,
  photo: doctors.photoFileId,
  category: doctors.category,
  specialization: doctors.primarySpecialization,
  additionalSpecializations: doctors.additionalSpecializations,
  experienceYears: doctors.experienceYears,
  fee: doctors.consultationFee,
  about: doctors.about,
  gender: doctors.gender,
  languages: doctors.languages,
  qualifications: doctors.qualifications,
  area: doctors.area,
  city: doctors.city,
  state: doctors.state,
  status: doctors.registrationStatus,
  isDemo: doctors.isDemo,
  hospital: { id: hospitals.id, name: hospitals.name, address: hospitals.address, phone: hospitals.phone },
};

const select = (ctx: Ctx, where: SQL | undefined) =>
  ctx.db
    .select(record)
    .from(doctors)
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .where(and(listedDoctor(doctors), where))
    .orderBy(asc(doctors.fullName), asc(doctors.id));

export type DoctorRecord = Awaited<ReturnType<typeof select>>[number];

/** Returns the public data of verified doctors by name, for apps with their own search (spec 001 §7). */
export async function listDoctorRecords(
  ctx: Ctx,
  input: { category?: string | undefined; limit: number; offset: number },
): Promise<{ rows: DoctorRecord[]; hasMore: boolean }> {
  const stored = EDIT_CATEGORIES.find((c) => c.name === input.category)?.stored ?? input.category;
  const rows = await select(ctx, stored ? eq(doctors.category, stored) : undefined)
    .limit(input.limit + 1)
    .offset(input.offset);
  return { rows: rows.slice(0, input.limit), hasMore: rows.length > input.limit };
}

/** Returns one record. @throws DomainError("not-found") */
export async function getDoctorRecord(ctx: Ctx, id: string): Promise<DoctorRecord> {
  const [row] = isUuid(id) ? await select(ctx, eq(doctors.id, id)).limit(1) : [];
  if (!row) throw new DomainError("not-found");
  return row;
}
