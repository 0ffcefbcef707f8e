import { and, asc, desc, eq, or, sql } from "drizzle-orm";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { clinicPatients, hospitals, pastAppointments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordReads } from "#app/domains/platform/audit/record.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { type Age, ageAt } from "#app/lib/age.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Gender, PastStatus } from "#app/lib/vocabulary.ts";
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

/** Counts and records what is shown of a register: each patient sees who opened their entry. @throws DomainError("unproven" | "too-many") */
async function takeFromRegister<T extends { personId: string | null }>(
  acting: Ctx<Actor>,
  clinic: Clinic,
  read: () => Promise<T[]>,
): Promise<T[]> {
  requireProof(acting, "export-data");
  await spendLimits(acting, [{ limit: "register", key: acting.actor.userId }]);
  const found = await read();
  const subject =
    clinic.hospitalId === undefined
      ? { subjectType: "doctor" as const, subjectId: clinic.doctorId }
      : { subjectType: "hospital" as const, subjectId: clinic.hospitalId };
  const persons = [...new Set(found.flatMap(({ personId }) => personId ?? []))];
  await recordReads(acting, [
    // Patients without an account have no log of their own.
    { action: "read-register", ...subject, details: { rows: found.length } },
    ...persons.map((personId) => ({
      action: "read-imported-patient" as const,
      subjectType: "user" as const,
      subjectId: personId,
      personId,
    })),
  ]);
  return found;
}

/**
 * Returns a page of the patients whom the clinic brought, by name.
 * @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden")
 */
export async function listRegister(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { search, page }: { search: string; page: number },
): Promise<{ rows: RegisteredPatient[]; hasMore: boolean; total: number }> {
  const acting = await actForClinic(ctx, clinic);
  const matches = search
    ? or(
        containsText(clinicPatients.name, search),
        containsText(clinicPatients.number, search),
        containsPhone(clinicPatients.phone, search),
      )
    : undefined;
  const where = and(isOf(clinicPatients, clinic), matches);
  const shown = await takeFromRegister(acting, clinic, () =>
    ctx.db
      .select(listed)
      .from(clinicPatients)
      .where(where)
      .orderBy(asc(clinicPatients.nameKey), asc(clinicPatients.id))
      .offset((page - 1) * PAGE)
      .limit(PAGE),
  );
  const total = await ctx.db.$count(clinicPatients, where);
  const today = todayInIndia(ctx.now);
  return { rows: shown.map((row) => withAge(row, today)), hasMore: page * PAGE < total, total };
}

const listed = {
  id: clinicPatients.id,
  personId: clinicPatients.patientId,
  name: clinicPatients.name,
  phone: clinicPatients.phone,
  number: clinicPatients.number,
  birthDate: clinicPatients.birthDate,
  about: clinicPatients.birthAbout,
  gender: clinicPatients.gender,
};
function withAge<T extends { personId: string | null; birthDate: string | null; about: boolean }>(
  { personId: _, birthDate, about, ...row }: T,
  today: DateKey,
) {
  return { ...row, age: birthDate ? { ...ageAt(0, birthDate, today), ...(about && { about }) } : null };
}

export type PastVisit = {
  id: string;
  date: DateKey;
  time: string | null;
  doctorName: string;
  status: PastStatus;
  fee: number | null;
  paid: number | null;
};
/** The most entries of history that a page shows, the latest first. */
const HISTORY = 100;

/**
 * Returns a patient of the register with what the clinic brought of them.
 * @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden")
 */
export async function getRegistered(ctx: Ctx<Actor>, clinic: Clinic, id: string | undefined) {
  const acting = await actForClinic(ctx, clinic);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [found] = await takeFromRegister(acting, clinic, () =>
    ctx.db
      .select({
        ...listed,
        blood: opened(clinicPatients.bloodGroup),
        address: opened(clinicPatients.address),
        note: opened(clinicPatients.note),
        addedAt: clinicPatients.createdAt,
      })
      .from(clinicPatients)
      .where(and(eq(clinicPatients.id, id), isOf(clinicPatients, clinic))),
  );
  if (!found) throw new DomainError("not-found");
  const ofPatient = eq(pastAppointments.clinicPatientId, id);
  const history: PastVisit[] = await ctx.db
    .select({
      id: pastAppointments.id,
      date: pastAppointments.date,
      time: sql<string | null>`to_char(${pastAppointments.time}, 'HH24:MI')`,
      doctorName: pastAppointments.doctorName,
      status: pastAppointments.status,
      fee: pastAppointments.fee,
      paid: pastAppointments.paid,
    })
    .from(pastAppointments)
    .where(ofPatient)
    .orderBy(desc(pastAppointments.date), desc(pastAppointments.time), asc(pastAppointments.id))
    .limit(HISTORY);
  return { ...withAge(found, todayInIndia(ctx.now)), history, visits: await ctx.db.$count(pastAppointments, ofPatient) };
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
