import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { appointments, clinicPatients, doctors, practices } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DELETED_NAME, type Gender } from "#app/lib/vocabulary.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { type KnownPerson, People } from "./match.ts";

/** Marks the id of a patient who has appointments and no row in the register. */
export const BY_APPOINTMENT = "appointment:";

/** SQL: the appointment is at the clinic; of any practice of the doctor for their own. Needs `doctors` and `practices`. */
export const isAppointmentOf = (clinic: Clinic) =>
  clinic.hospitalId === undefined
    ? eq(appointments.doctorId, clinic.doctorId)
    : sql`coalesce(${practices.hospitalId}, ${doctors.hospitalId}) = ${clinic.hospitalId}`;

/** Returns the persons of a clinic: of its register, and of its appointments. */
export async function findPeople(ctx: Ctx, clinic: Clinic): Promise<People> {
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
    .where(isOf(clinicPatients, clinic));
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
      birthDate: sql<string | null>`max(${appointments.patientBirthDate})::text`,
      gender: sql<Gender>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .where(
      and(
        isAppointmentOf(clinic),
        ne(appointments.patientName, DELETED_NAME),
        ne(appointments.patientPhone, ""),
        or(isNull(appointments.cancelledAt), ne(appointments.status, "cancelled")),
      ),
    )
    .groupBy(appointments.patientName, appointments.patientPhone);
  for (const { id, birthDate, ...row } of booked) {
    const person = {
      ...row,
      id: `${BY_APPOINTMENT}${id}`,
      row: null,
      number: null,
      born: birthDate ? { date: birthDate, about: false } : null,
    };
    // The register knows more of them.
    if (!people.has(person)) people.add(person);
  }
  return people;
}
