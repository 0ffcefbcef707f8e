import { and, asc, eq, gte, inArray, ne, sql } from "drizzle-orm";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import {
  appointments,
  availabilitySlots,
  clinicPatients,
  doctors,
  pastAppointments,
  placeDoctors,
  practices,
} from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { isAppointmentOf, isPracticeOf } from "./known-people.server.ts";
import { findPatient, type KnownPerson, type People, type Question } from "./match.ts";
import type { RowProblem } from "./problems.ts";
import type { AppointmentRow } from "./rows.ts";
import { nameKey } from "./values.ts";

export type DoctorOfClinic = { id: string; name: string };

/** Returns the doctors whose appointments the clinic can bring. */
export async function listDoctors(ctx: Ctx, clinic: Clinic): Promise<DoctorOfClinic[]> {
  const select = { id: doctors.id, name: doctors.fullName };
  return clinic.hospitalId === undefined
    ? ctx.db.select(select).from(doctors).where(eq(doctors.id, clinic.doctorId))
    : ctx.db
        .select(select)
        .from(placeDoctors)
        .innerJoin(doctors, eq(doctors.id, placeDoctors.doctorId))
        .where(and(eq(placeDoctors.hospitalId, clinic.hospitalId), eq(placeDoctors.state, "active"), listedDoctor(doctors)))
        .orderBy(asc(doctors.fullName), asc(doctors.id));
}

/** Returns the doctor of a row: by name, or the only doctor where the row names none. */
export function findDoctor(typed: string | null, all: readonly DoctorOfClinic[]): DoctorOfClinic | null {
  if (typed === null) return all.length === 1 ? all[0]! : null;
  const key = nameKey(typed);
  const exact = all.filter(({ name }) => nameKey(name) === key);
  if (exact.length === 1) return exact[0]!;
  // "Dr. Anjali" of "Dr. Anjali Vemuri", where it is the only one.
  const partly = all.filter(({ name }) => ` ${nameKey(name)} `.includes(` ${key} `));
  return partly.length === 1 ? partly[0]! : null;
}

/** What the clinic has already, and which times are free. */
export type Diary = {
  doctors: DoctorOfClinic[];
  /** "person|date|time" of the register's history; "phone|name|date|time" of appointments. */
  known: Set<string>;
  /** "doctor|date|time" of the times to come: true while a seat is free. */
  times: Map<string, boolean>;
};
const historyKey = (personId: string, { date, time }: { date: string; time: string | null }) => `${personId}|${date}|${time ?? ""}`;
const bookedKey = (of: { phone: string; name: string; date: string; time: string }) =>
  `${of.phone}|${nameKey(of.name)}|${of.date}|${of.time}`;
const timeKey = (doctorId: string, { date, time }: { date: string; time: string }) => `${doctorId}|${date}|${time}`;

export async function readDiary(ctx: Ctx, clinic: Clinic, today: DateKey): Promise<Diary> {
  const all = await listDoctors(ctx, clinic);
  const known = new Set<string>();
  const past = await ctx.db
    .select({
      personId: pastAppointments.clinicPatientId,
      date: pastAppointments.date,
      time: sql<string | null>`to_char(${pastAppointments.time}, 'HH24:MI')`,
    })
    .from(pastAppointments)
    .innerJoin(clinicPatients, eq(clinicPatients.id, pastAppointments.clinicPatientId))
    .where(isOf(clinicPatients, clinic));
  for (const { personId, ...when } of past) known.add(historyKey(personId, when));
  const booked = await ctx.db
    .select({
      phone: appointments.patientPhone,
      name: appointments.patientName,
      date: appointments.date,
      time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .where(and(isAppointmentOf(clinic), ne(appointments.status, "cancelled")));
  for (const row of booked) known.add(bookedKey(row));
  const times = new Map<string, boolean>();
  if (all.length)
    for (const { doctorId, date, time, full } of await ctx.db
      .select({
        doctorId: availabilitySlots.doctorId,
        date: availabilitySlots.date,
        time: sql<string>`to_char(${availabilitySlots.time}, 'HH24:MI')`,
        full: fullSlot(availabilitySlots),
      })
      .from(availabilitySlots)
      .innerJoin(practices, eq(practices.id, availabilitySlots.practiceId))
      .innerJoin(doctors, eq(doctors.id, availabilitySlots.doctorId))
      .where(
        and(
          isPracticeOf(clinic),
          eq(practices.state, "active"),
          inArray(
            availabilitySlots.doctorId,
            all.map(({ id }) => id),
          ),
          gte(availabilitySlots.date, today),
          eq(availabilitySlots.tokens, false),
        ),
      ))
      times.set(timeKey(doctorId, { date, time }), !full);
  return { doctors: all, known, times };
}

export type AppointmentVerdict =
  | { group: "new"; person: KnownPerson }
  | { group: "here"; person: KnownPerson }
  | { group: "decision"; question: Question; person: KnownPerson | null }
  | { group: "unreadable"; problem: RowProblem };

/** True for an appointment that takes a time in the doctor's hours. Others are history. */
export const isToCome = (now: Date, { date, time, status }: AppointmentRow): boolean =>
  status === "booked" && time !== null && !hasStarted(now, { date, time });

/** Returns the group of a row of appointments. A free time that it takes is taken for the rows after it. */
export function placeAppointment(
  row: AppointmentRow,
  { people, diary, now }: { people: People; diary: Diary; now: Date },
): AppointmentVerdict {
  const found = findPatient(row, people);
  if ("question" in found) {
    if (found.question === "patient-unknown" && row.name === null) return { group: "unreadable", problem: "patient-missing" };
    // A patient whom the row would add has no age and gender, which a booking needs.
    if (found.question === "patient-unknown" && isToCome(now, row)) return { group: "unreadable", problem: "patient-incomplete" };
    return { group: "decision", question: found.question, person: "person" in found ? found.person : null };
  }
  const { person } = found;
  if (diary.known.has(historyKey(person.id, row))) return { group: "here", person };
  if (
    row.time !== null &&
    person.phone &&
    diary.known.has(bookedKey({ phone: person.phone, name: person.name, date: row.date, time: row.time }))
  )
    return { group: "here", person };
  const doctor = findDoctor(row.doctor, diary.doctors);
  if (!isToCome(now, row)) {
    if (!doctor && row.doctor !== null) return { group: "decision", question: "doctor-unknown", person };
    diary.known.add(historyKey(person.id, row));
    return { group: "new", person };
  }
  // A real time is that of a doctor in Nadi.
  if (!doctor) return { group: "decision", question: "doctor-needed", person };
  if (!person.phone || !person.born || !person.gender) return { group: "unreadable", problem: "patient-incomplete" };
  const key = timeKey(doctor.id, { date: row.date, time: row.time ?? "" });
  const free = diary.times.get(key);
  if (free !== true) return { group: "decision", question: free === undefined ? "time-closed" : "time-taken", person };
  diary.times.set(key, false);
  diary.known.add(bookedKey({ phone: person.phone, name: person.name, date: row.date, time: row.time ?? "" }));
  return { group: "new", person };
}
