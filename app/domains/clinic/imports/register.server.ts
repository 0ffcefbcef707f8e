import { and, asc, eq, or, sql } from "drizzle-orm";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { clinicPatients, hospitals } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type Age, ageAt } from "#app/lib/age.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { actForClinic, type Clinic, isOf } from "./clinic.server.ts";

const PAGE = 50;

export type RegisteredPatient = {
  id: string;
  name: string;
  phone: string | null;
  number: string | null;
  age: Age | null;
  gender: Gender | null;
};

/** Returns a page of the patients whom the clinic brought, by name. @throws DomainError("not-found" | "forbidden") */
export async function listRegister(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { search, page }: { search: string; page: number },
): Promise<{ rows: RegisteredPatient[]; hasMore: boolean; total: number }> {
  await actForClinic(ctx, clinic);
  const matches = search
    ? or(
        containsText(clinicPatients.name, search),
        containsText(clinicPatients.number, search),
        containsPhone(clinicPatients.phone, search),
      )
    : undefined;
  const where = and(isOf(clinicPatients, clinic), matches);
  const [found, total] = await Promise.all([
    ctx.db
      .select({
        id: clinicPatients.id,
        name: clinicPatients.name,
        phone: clinicPatients.phone,
        number: clinicPatients.number,
        birthDate: clinicPatients.birthDate,
        about: clinicPatients.birthAbout,
        gender: clinicPatients.gender,
      })
      .from(clinicPatients)
      .where(where)
      .orderBy(asc(clinicPatients.nameKey), asc(clinicPatients.id))
      .offset((page - 1) * PAGE)
      .limit(PAGE + 1),
    ctx.db.$count(clinicPatients, where),
  ]);
  const today = todayInIndia(ctx.now);
  return {
    rows: found.slice(0, PAGE).map(({ birthDate, about, ...row }) => ({
      ...row,
      age: birthDate ? { ...ageAt(0, birthDate, today), ...(about && { about }) } : null,
    })),
    hasMore: found.length > PAGE,
    total,
  };
}

/** Returns the names of the clinics whose registers have the acting patient. */
export async function listClinicsWithMe(ctx: Ctx<Actor>): Promise<string[]> {
  const rows = await ctx.db
    .selectDistinct({
      name: sql<string>`coalesce(${hospitals.name}, (select d.full_name from doctors d where d.id = ${clinicPatients.doctorId}))`,
    })
    .from(clinicPatients)
    .leftJoin(hospitals, eq(hospitals.id, clinicPatients.hospitalId))
    .where(eq(clinicPatients.patientId, ctx.actor.userId));
  return rows.map(({ name }) => name);
}
