import { and, asc, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { asDoctorRow, type DoctorAppointment, doctorRow, matchesPatient } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { hasNotPassed, openVisit } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { type Age, ageAt } from "#app/lib/age.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Gender } from "#app/lib/vocabulary.ts";

/** A patient of a doctor. `id`: their latest appointment, which identifies them. */
export type DoctorsPatient = {
  id: string;
  name: string;
  /** On the day of the latest appointment. */
  age: Age;
  gender: Gender;
  phone: string;
  last: DateKey | null;
  next: DateKey | null;
  appointments: number;
};

const PAGE = 20;
/** SQL: the patient of an appointment within their account. */
const person: SQL = sql`lower(btrim(${appointments.patientName}))`;

/** Returns a page of the acting doctor's patients, the latest appointment first. Leaves out those whose appointments were all cancelled. */
export async function listPatientsOfDoctor(
  ctx: Ctx<Actor>,
  input: { search: string; page: number },
): Promise<{ rows: DoctorsPatient[]; hasMore: boolean }> {
  const ahead = and(openVisit(appointments), hasNotPassed(appointments, minuteInIndia(ctx.now)));
  const latest = sql<string>`(array_agg(${appointments.id} order by ${appointments.date} desc, ${appointments.time} desc))[1]`;
  const groups = await ctx.db
    .select({
      id: latest,
      last: sql<DateKey | null>`max(${appointments.date}) filter (where not (${ahead}))`,
      next: sql<DateKey | null>`min(${appointments.date}) filter (where ${ahead})`,
      appointments: sql<number>`count(*)::int`,
    })
    .from(appointments)
    .where(and(eq(appointments.doctorId, ctx.actor.userId), ne(appointments.status, "cancelled"), matchesPatient(input.search)))
    .groupBy(appointments.patientId, person)
    .orderBy(sql`max(${appointments.date}) desc`, desc(latest))
    .limit(PAGE + 1)
    .offset((input.page - 1) * PAGE);
  const shown = groups.slice(0, PAGE);
  const facts = shown.length
    ? await ctx.db
        .select({
          id: appointments.id,
          name: appointments.patientName,
          years: appointments.patientAge,
          birthDate: appointments.patientBirthDate,
          date: appointments.date,
          gender: appointments.patientGender,
          phone: appointments.patientPhone,
        })
        .from(appointments)
        .where(
          inArray(
            appointments.id,
            shown.map(({ id }) => id),
          ),
        )
    : [];
  const byId = new Map(facts.map((row) => [row.id, row]));
  return {
    rows: shown.flatMap((group) => {
      const row = byId.get(group.id);
      if (!row) return [];
      const { years, birthDate, date, name, ...rest } = row;
      return [{ ...group, ...rest, age: ageAt(years, birthDate, date), name: patientNameWord(name) }];
    }),
    hasMore: groups.length > PAGE,
  };
}

/**
 * Returns the patient of one appointment of the acting doctor with a page of their appointments with this doctor, latest first.
 * @throws DomainError("not-found")
 */
export async function getPatientOfDoctor(
  ctx: Ctx<Actor>,
  input: { id: string; page: number },
): Promise<{ patient: DoctorAppointment; rows: DoctorAppointment[]; hasMore: boolean }> {
  if (!isUuid(input.id)) throw new DomainError("not-found");
  const own = eq(appointments.doctorId, ctx.actor.userId);
  const [found] = await ctx.db
    .select({ patientId: appointments.patientId, person: sql<string>`${person}` })
    .from(appointments)
    .where(and(eq(appointments.id, input.id), own));
  if (!found) throw new DomainError("not-found");
  const rows = await ctx.db
    .select(doctorRow)
    .from(appointments)
    .where(and(own, eq(appointments.patientId, found.patientId), sql`${person} = ${found.person}`))
    .orderBy(desc(appointments.date), desc(appointments.time), asc(appointments.id))
    .limit(PAGE + 1)
    .offset((input.page - 1) * PAGE);
  const shown = rows.slice(0, PAGE).map((row) => asDoctorRow(ctx, row));
  const [latest] = shown;
  if (!latest) throw new DomainError("not-found");
  return { patient: latest, rows: shown, hasMore: rows.length > PAGE };
}
