import { and, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { appointments, clinicPatients, doctors } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { isVisitOf } from "#app/db/schema/visit-of-clinic.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { Phone } from "#app/lib/phone.ts";
import { DELETED_NAME, type Gender } from "#app/lib/vocabulary.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { type KnownPerson, numberKey, People } from "./match.ts";
import { type ImportedStatus, nameKey } from "./values.ts";

/** Marks the id of a patient who has appointments and no row in the register. */
export const BY_APPOINTMENT = "appointment:";

/**
 * SQL: the practice is at the clinic, which the doctor has accepted and not left; for a doctor's own practice any of them. Needs `doctors` and
 * `practices`.
 */
export const isPracticeOf = (clinic: Clinic) =>
  clinic.hospitalId === undefined
    ? undefined
    : sql`(${placeOfPractice} = ${clinic.hospitalId} and exists (select from place_doctors pd
        where pd.doctor_id = ${doctors.id} and pd.hospital_id = ${clinic.hospitalId} and pd.state = 'active'))`;
/** SQL: the appointment is one of the clinic, or any of the doctor. Its doctors are named first: appointments are indexed by doctor. */
export const isAppointmentOf = (clinic: Clinic): SQL =>
  clinic.hospitalId === undefined
    ? eq(appointments.doctorId, clinic.doctorId)
    : sql`(${appointments.doctorId} = any(array(select p.doctor_id from place_doctors p where p.hospital_id = ${clinic.hospitalId}))
        and ${isVisitOf(clinic.hospitalId)})`;

/** SQL: the state of an appointment as an import reads it. */
export const importedStatus = sql<ImportedStatus>`case when ${appointments.status} = 'completed' then 'seen' when ${appointments.status} = 'cancelled' then 'cancelled'
  when ${appointments.noShowAt} is not null then 'no-show' else 'booked' end`;

/**
 * SQL, of grouped appointments: the birth date of the patient, or else one that follows from the ages that were typed: the middle of the year,
 * as an import reads an age. Never after today.
 */
export const bookedBorn = (today: DateKey) => ({
  birthDate: sql<string | null>`coalesce(max(${appointments.patientBirthDate}), least(${today}::date,
    max(${appointments.date} - make_interval(months => 12 * ${appointments.patientAge} + 6))::date))::text`,
  about: sql<boolean>`max(${appointments.patientBirthDate}) is null`,
});

type Wanted = { name: string; phone: Phone | null; number: string | null };

/**
 * Returns the persons of a clinic: of its register, and of its appointments.
 * @param only those who may be one of these rows, without the register rows that the import `except` has added
 */
export async function findPeople(ctx: Ctx, clinic: Clinic, only?: { wanted: Wanted[]; except: string }): Promise<People> {
  const phones = [...new Set(only?.wanted.flatMap(({ phone }) => phone ?? []))];
  const registered = await ctx.db
    .select({
      id: clinicPatients.id,
      name: clinicPatients.name,
      phone: clinicPatients.phone,
      number: clinicPatients.number,
      birthDate: clinicPatients.birthDate,
      birthAbout: clinicPatients.birthAbout,
      gender: clinicPatients.gender,
    })
    .from(clinicPatients)
    .where(and(isOf(clinicPatients, clinic), only && mayBe(only, phones)));
  const people = new People(
    registered.map(
      ({ birthDate, birthAbout, ...row }): KnownPerson => ({
        ...row,
        row: null,
        born: birthDate ? { date: birthDate, about: birthAbout } : null,
      }),
    ),
  );
  const booked = await ctx.db
    .select({
      id: sql<string>`min(${appointments.id}::text)`,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      ...bookedBorn(todayInIndia(ctx.now)),
      gender: sql<Gender>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .where(
      and(
        isAppointmentOf(clinic),
        ne(appointments.patientName, DELETED_NAME),
        ne(appointments.patientPhone, ""),
        only && inArray(appointments.patientPhone, phones),
        or(isNull(appointments.cancelledAt), ne(appointments.status, "cancelled")),
      ),
    )
    .groupBy(appointments.patientName, appointments.patientPhone);
  for (const { id, birthDate, about, ...row } of booked) {
    const person = {
      ...row,
      id: `${BY_APPOINTMENT}${id}`,
      row: null,
      number: null,
      born: birthDate ? { date: birthDate, about } : null,
    };
    // The register knows more of them.
    if (!people.has(person)) people.add(person);
  }
  return people;
}

/** SQL: the row of the register has the name, the phone or the number of a wanted one. */
const mayBe = ({ wanted, except }: { wanted: Wanted[]; except: string }, phones: Phone[]) => {
  const keys = [...new Set(wanted.map(({ name }) => nameKey(name)))];
  const numbers = [...new Set(wanted.flatMap(({ number }) => (number ? numberKey(number) : [])))];
  return and(
    sql`${clinicPatients.importId} is distinct from ${except}`,
    or(
      inArray(clinicPatients.nameKey, keys),
      inArray(clinicPatients.phone, phones),
      inArray(sql`lower(regexp_replace(${clinicPatients.number}, '\\s+', '', 'g'))`, numbers),
    ),
  );
};
