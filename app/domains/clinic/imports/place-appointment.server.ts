import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import { takenSeats } from "#app/db/schema/full-slot.ts";
import {
  appointments,
  availabilitySlots,
  clinicPatients,
  doctors,
  importRows,
  imports,
  pastAppointments,
  placeDoctors,
  practices,
} from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { Phone } from "#app/lib/phone.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { importedStatus, isAppointmentOf, isPracticeOf } from "./known-people.server.ts";
import { findPatient, type KnownPerson, type People, type Question } from "./match.ts";
import type { RowProblem } from "./problems.ts";
import type { AppointmentRow } from "./rows.ts";
import { type ImportedStatus, nameKey } from "./values.ts";

export type DoctorOfClinic = {
  id: string;
  name: string;
  /** The words that start a booking by SMS, and the registration number: what other programs and notes of a clinic call a doctor. */
  codes: string[];
};

/** Returns the doctors whose appointments the clinic can bring. */
export async function listDoctors(ctx: Ctx, clinic: Clinic): Promise<DoctorOfClinic[]> {
  const select = {
    id: doctors.id,
    name: doctors.fullName,
    codes: sql<string[]>`array_remove(array_append(array(select p.keyword from practices p where p.doctor_id = ${doctors.id}
      and p.keyword is not null and p.state <> 'closed'), ${doctors.councilNumber}), null)`,
  };
  return clinic.hospitalId === undefined
    ? ctx.db.select(select).from(doctors).where(eq(doctors.id, clinic.doctorId))
    : ctx.db
        .select(select)
        .from(placeDoctors)
        .innerJoin(doctors, eq(doctors.id, placeDoctors.doctorId))
        .where(and(eq(placeDoctors.hospitalId, clinic.hospitalId), eq(placeDoctors.state, "active"), listedDoctor(doctors)))
        .orderBy(asc(doctors.fullName), asc(doctors.id));
}

const codeKey = (code: string) => code.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
/** Returns the doctor of a row: by name or code, or the only doctor where the row names none. null: none, or more than one is possible. */
export function findDoctor(typed: string | null, all: readonly DoctorOfClinic[]): DoctorOfClinic | null {
  if (typed === null) return all.length === 1 ? all[0]! : null;
  const [key, code] = [nameKey(typed), codeKey(typed)];
  const exact = all.filter(({ name }) => nameKey(name) === key);
  if (exact.length === 1) return exact[0]!;
  // "Dr. Anjali" of "Dr. Anjali Vemuri", where it is the only one.
  const possible = all.filter(
    ({ name, codes }) => ` ${nameKey(name)} `.includes(` ${key} `) || (code && codes.some((one) => codeKey(one) === code)),
  );
  return possible.length === 1 ? possible[0]! : null;
}

/** An appointment of a patient at a date and time. */
type Visit = { doctorId: string | null; doctorName: string; status: ImportedStatus };
/** The states of a visit that a register or Nadi may know by now. Cancelled and booked again are two. */
const ALSO: Record<ImportedStatus, readonly ImportedStatus[]> = {
  booked: ["booked", "seen", "no-show"],
  seen: ["seen", "booked"],
  "no-show": ["no-show", "booked"],
  cancelled: ["cancelled"],
};
/** True for two entries of one visit. Nobody sees two doctors at one time, so an entry without a doctor matches any. */
export const isSameVisit = (a: Visit, b: Visit, time: string | null): boolean =>
  ALSO[a.status].includes(b.status) &&
  ((a.doctorId !== null && a.doctorId === b.doctorId) ||
    nameKey(a.doctorName) === nameKey(b.doctorName) ||
    (time !== null && (!a.doctorName || !b.doctorName)));
export const visitOf = ({ doctor: typed, status }: AppointmentRow, doctor: DoctorOfClinic | null): Visit => ({
  doctorId: doctor?.id ?? null,
  doctorName: typed ?? doctor?.name ?? "",
  status,
});

/** What the clinic has already, and which times are free. */
export type Diary = {
  doctors: DoctorOfClinic[];
  /** By "person|date|time" for the register's history, by "phone|name|date|time" for appointments. */
  known: Map<string, Visit[]>;
  times: Times;
};
/** The times to come. `left`: how many seats, by "doctor|date|time". `ofDay`: the times by "doctor|date", in order. */
export type Times = { left: Map<string, number>; ofDay: Map<string, TimeKey[]> };
const historyKey = (personId: string, { date, time }: { date: string; time: string | null }) => `${personId}|${date}|${time ?? ""}`;
const bookedKey = (of: { phone: string; name: string; date: string; time: string }) =>
  `${of.phone}|${nameKey(of.name)}|${of.date}|${of.time}`;
const dayKey = (doctorId: string, date: string) => `${doctorId}|${date}`;
const timeKey = (doctorId: string, { date, time }: { date: string; time: string | null }) => `${dayKey(doctorId, date)}|${time ?? ""}`;
function note(known: Diary["known"], key: string, visit: Visit): void {
  const there = known.get(key);
  if (there) there.push(visit);
  else known.set(key, [visit]);
}

const bookedVisit = {
  phone: appointments.patientPhone,
  name: appointments.patientName,
  date: appointments.date,
  time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
  doctorId: appointments.doctorId,
  doctorName: doctors.fullName,
  status: importedStatus,
};

export async function readDiary(ctx: Ctx, clinic: Clinic, today: DateKey): Promise<Diary> {
  const all = await listDoctors(ctx, clinic);
  const known: Diary["known"] = new Map();
  const past = await ctx.db
    .select({
      personId: pastAppointments.clinicPatientId,
      date: pastAppointments.date,
      time: sql<string | null>`to_char(${pastAppointments.time}, 'HH24:MI')`,
      doctorId: pastAppointments.doctorId,
      doctorName: pastAppointments.doctorName,
      status: pastAppointments.status,
    })
    .from(pastAppointments)
    .innerJoin(clinicPatients, eq(clinicPatients.id, pastAppointments.clinicPatientId))
    .where(isOf(clinicPatients, clinic));
  for (const { personId, date, time, ...visit } of past) note(known, historyKey(personId, { date, time }), visit);
  const booked = await ctx.db
    .select(bookedVisit)
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(isAppointmentOf(clinic));
  for (const { doctorId, doctorName, status, ...row } of [...booked, ...(await listBooked(ctx, clinic))])
    note(known, bookedKey(row), { doctorId, doctorName, status });
  return { doctors: all, known, times: await readTimes(ctx, clinic, today, all) };
}

/**
 * Returns the appointments that imports have booked, each with the date, the time and the doctor's name of its file: it may have got the next
 * free time, another doctor, or been moved since. Imported again, the row is here already.
 */
export async function listBooked(ctx: Ctx, clinic: Clinic, phone?: Phone) {
  const found = await ctx.db
    .select({ ...bookedVisit, content: opened(importRows.content) })
    .from(importRows)
    .innerJoin(imports, eq(imports.id, importRows.importId))
    .innerJoin(appointments, eq(appointments.id, importRows.appointmentId))
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(isOf(imports, clinic), phone ? eq(appointments.patientPhone, phone) : undefined));
  return found.map(({ content, ...booked }) => {
    const { date, time, doctor } = content.values as AppointmentRow;
    return { ...booked, date, time: time ?? booked.time, doctorName: doctor ?? booked.doctorName };
  });
}

/** Returns the times to come of these doctors at the clinic. */
export async function readTimes(ctx: Ctx, clinic: Clinic, today: DateKey, all: readonly DoctorOfClinic[]): Promise<Times> {
  const times: Times = { left: new Map(), ofDay: new Map() };
  if (!all.length) return times;
  const found = await ctx.db
    .select({
      doctorId: availabilitySlots.doctorId,
      date: availabilitySlots.date,
      time: sql<TimeKey>`to_char(${availabilitySlots.time}, 'HH24:MI')`,
      left: sql<number>`${availabilitySlots.seats} - ${takenSeats(availabilitySlots)}::int`,
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
    )
    .orderBy(asc(availabilitySlots.time));
  for (const { doctorId, date, time, left } of found) {
    times.left.set(timeKey(doctorId, { date, time }), left);
    const day = times.ofDay.get(dayKey(doctorId, date));
    if (day) day.push(time);
    else times.ofDay.set(dayKey(doctorId, date), [time]);
  }
  return times;
}

/** Takes a seat of a time for a row of the file, so that no other row gets it. @returns why not */
export function takeSeat(
  { left }: Times,
  doctorId: string,
  at: { date: string; time: string | null },
): "time-closed" | "time-taken" | null {
  const key = timeKey(doctorId, at);
  const seats = left.get(key);
  if (seats === undefined) return "time-closed";
  if (seats <= 0) return "time-taken";
  left.set(key, seats - 1);
  return null;
}
/** Takes a seat of the next free time of the day, from the time of the row on. null: there is none. */
export function takeNextFree(times: Times, doctorId: string, { date, time }: AppointmentRow, now: Date): TimeKey | null {
  const later = (times.ofDay.get(dayKey(doctorId, date)) ?? []).filter(
    (one) => one >= (time ?? "") && !hasStarted(now, { date, time: one }),
  );
  return later.find((one) => takeSeat(times, doctorId, { date, time: one }) === null) ?? null;
}

export type AppointmentVerdict =
  | { group: "new"; person: KnownPerson }
  | { group: "here"; person: KnownPerson }
  | { group: "decision"; question: Question; person: KnownPerson | null }
  | { group: "unreadable"; problem: RowProblem };

/** True for an appointment that takes a time in the doctor's hours. Others are history. */
export const isToCome = (now: Date, { date, time, status }: AppointmentRow): boolean =>
  status === "booked" && time !== null && !hasStarted(now, { date, time });

/** Returns what is open once the patient of a row is known. A free seat that the row takes is taken for the rows after it. */
export function openQuestion(
  row: AppointmentRow,
  { doctor, times, now }: { doctor: DoctorOfClinic | null; times: Times; now: Date },
): Question | null {
  if (!isToCome(now, row)) return !doctor && row.doctor !== null ? "doctor-unknown" : null;
  // A real time is that of a doctor in Nadi.
  if (!doctor) return "doctor-needed";
  return takeSeat(times, doctor.id, row);
}

/** Returns the group of a row of appointments. */
export function placeAppointment(
  row: AppointmentRow,
  { people, diary, now }: { people: People; diary: Diary; now: Date },
): AppointmentVerdict {
  const found = findPatient(row, people);
  const toCome = isToCome(now, row);
  if ("question" in found) {
    if (found.question === "patient-unknown" && row.name === null) return { group: "unreadable", problem: "patient-missing" };
    // A patient whom the row would add has no age and gender, which a booking needs.
    if (found.question === "patient-unknown" && toCome) return { group: "unreadable", problem: "patient-incomplete" };
    return { group: "decision", question: found.question, person: "person" in found ? found.person : null };
  }
  const { person } = found;
  const doctor = findDoctor(row.doctor, diary.doctors);
  const visit = visitOf(row, doctor);
  const history = historyKey(person.id, row);
  const booked = row.time && person.phone ? bookedKey({ phone: person.phone, name: person.name, date: row.date, time: row.time }) : null;
  const there = [...(diary.known.get(history) ?? []), ...((booked && diary.known.get(booked)) || [])];
  if (there.some((one) => isSameVisit(visit, one, row.time))) return { group: "here", person };
  const isBookable = person.phone && person.born && person.gender;
  if (toCome && doctor && !isBookable) return { group: "unreadable", problem: "patient-incomplete" };
  const question = openQuestion(row, { doctor, times: diary.times, now });
  if (question) return { group: "decision", question, person };
  note(diary.known, toCome && booked ? booked : history, visit);
  return { group: "new", person };
}
