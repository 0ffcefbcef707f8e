import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { appointments, clinicPatients, doctors, pastAppointments } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import type { TimeKey } from "#app/lib/dates.ts";
import type { Phone } from "#app/lib/phone.ts";
import { bookImported, type ImportedBooking, recordBookings } from "./book-imported.server.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { addPatients, auditPersons, findLike, isLeftOut, type Result, type StoredRow } from "./commit-patients.server.ts";
import { importedStatus, isAppointmentOf } from "./known-people.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { numberKey } from "./match.ts";
import { type DoctorOfClinic, findDoctor, isSameVisit, isToCome, listBooked, listDoctors, visitOf } from "./place-appointment.server.ts";
import type { AppointmentRow } from "./rows.ts";
import { nameKey } from "./values.ts";
import { isAboutTime } from "./words.ts";

type Registered = { id: string; name: string; phone: Phone | null };
const registered = { id: clinicPatients.id, name: clinicPatients.name, phone: clinicPatients.phone, number: clinicPatients.number };

/** Commits rows of appointments. What another import has brought since the check is not brought again. */
export async function commitAppointments(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, rows: StoredRow[]): Promise<Result[]> {
  const all = await listDoctors(tx, clinic);
  const results: Result[] = [];
  const bookings: ImportedBooking[] = [];
  for (const row of rows)
    results.push(
      isLeftOut(row) ? { number: row.number, outcome: "left-out" } : await commitOrLeave(tx, { record, clinic, row, all, bookings }),
    );
  await recordBookings(tx, bookings);
  await auditHistory(
    tx,
    record,
    results.flatMap(({ pastAppointmentId }) => pastAppointmentId ?? []),
  );
  return results;
}

/** Who opened or changed my data: the persons whose history these rows have added to. */
async function auditHistory(tx: Ctx<Actor>, record: ImportRecord, ids: string[]): Promise<void> {
  if (ids.length) await auditPersons(tx, record, await personsOfHistory(tx, ids));
}
/** Returns the accounts of the patients of past appointments. */
export async function personsOfHistory(tx: Ctx, ids: string[]): Promise<string[]> {
  const found = await tx.db
    .selectDistinct({ personId: clinicPatients.patientId })
    .from(pastAppointments)
    .innerJoin(clinicPatients, eq(clinicPatients.id, pastAppointments.clinicPatientId))
    .where(inArray(pastAppointments.id, ids));
  return found.flatMap(({ personId }) => personId ?? []);
}

type RowToCommit = { record: ImportRecord; clinic: Clinic; row: StoredRow; all: readonly DoctorOfClinic[]; bookings: ImportedBooking[] };

class LeftOut extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super("left out");
    this.result = result;
  }
}

/** Commits a row. One that finds no time is left out as a whole, with the patient whom it would have added. */
async function commitOrLeave(tx: Ctx<Actor>, of: RowToCommit): Promise<Result> {
  if (!isToCome(tx.now, of.row.read.values as AppointmentRow)) return commitAppointment(tx, of);
  try {
    return await transact(tx, async (inner) => {
      const result = await commitAppointment(inner, of);
      if (result.outcome === "left-out") throw new LeftOut(result);
      return result;
    });
  } catch (error) {
    if (error instanceof LeftOut) return error.result;
    throw error;
  }
}

async function commitAppointment(tx: Ctx<Actor>, of: RowToCommit): Promise<Result> {
  const { record, clinic, row } = of;
  const values = row.read.values as AppointmentRow;
  const { number } = row;
  const person = await ensurePatient(tx, record, clinic, row);
  if (!person) return { number, outcome: "left-out" };
  const result = { number, outcome: "added" as const, clinicPatientId: person.id, accountId: person.accountId ?? null };
  const doctor = of.all.find(({ id }) => id === row.decidedDoctorId) ?? findDoctor(values.doctor, of.all);
  if (await isHere(tx, clinic, person, values, doctor)) return { number, outcome: "here" };
  if (isToCome(tx.now, values)) {
    const booked = doctor
      ? await bookImported(tx, {
          clinic,
          clinicPatientId: person.id,
          doctorId: doctor.id,
          row: isAboutTime(row.reason) ? { ...values, time: (row.read.bookAt as TimeKey | undefined) ?? values.time } : values,
        })
      : "doctor-needed";
    if (typeof booked === "string")
      return {
        ...{ number, outcome: "left-out" },
        ...{ group: booked === "patient-incomplete" ? "unreadable" : "decision", reason: booked },
      };
    of.bookings.push(booked);
    return { ...result, appointmentId: booked.id };
  }
  const [past] = await tx.db
    .insert(pastAppointments)
    .values({
      clinicPatientId: person.id,
      doctorId: doctor?.id ?? null,
      doctorName: values.doctor ?? doctor?.name ?? "",
      date: values.date,
      time: values.time,
      status: values.status,
      fee: values.fee,
      paid: values.paid,
      importId: record.id,
      createdAt: tx.now,
    })
    .returning({ id: pastAppointments.id });
  return { ...result, pastAppointmentId: past!.id };
}

/** Returns the patient of an appointment, and adds one whom the register does not have. null: the row does not say who it is. */
async function ensurePatient(
  tx: Ctx<Actor>,
  record: ImportRecord,
  clinic: Clinic,
  row: StoredRow,
): Promise<(Registered & { accountId?: string | null }) | null> {
  const values = row.read.values as AppointmentRow;
  const isOther = row.read.isOther || (row.decision === "other" && row.reason === "patient-unclear");
  // A patient who so far only had appointments is the one that they name.
  const like = isOther ? null : row.read.like;
  const wanted = { name: like?.name ?? values.name ?? "", phone: like?.phone ?? values.phone, number: values.number };
  const found = (isOther ? null : await findLiked(tx, record, clinic, row)) ?? (await findRegistered(tx, record, clinic, wanted, isOther));
  if (found || !wanted.name) return found;
  const born = like?.birthDate ? { date: like.birthDate, about: false } : null;
  const person = { ...wanted, born, gender: like?.gender ?? null, blood: null, address: null, note: null };
  const [added] = await addPatients(tx, record, clinic, [{ number: row.number, values: person }]);
  return { id: added!.clinicPatientId!, name: wanted.name, phone: wanted.phone, accountId: added!.accountId ?? null };
}

/** Returns the patient whom the check found. */
async function findLiked(tx: Ctx, record: ImportRecord, clinic: Clinic, row: StoredRow): Promise<Registered | null> {
  const id = await findLike(tx, record, row);
  if (!id) return null;
  const [found] = await tx.db
    .select(registered)
    .from(clinicPatients)
    .where(and(eq(clinicPatients.id, id), isOf(clinicPatients, clinic)))
    .for("key share");
  return found ?? null;
}

/** Returns a patient of the register of this name, phone and number. `isOther`: only one whom this import, or one at the same time, has added. */
async function findRegistered(
  tx: Ctx,
  record: ImportRecord,
  clinic: Clinic,
  wanted: { name: string; phone: Phone | null; number: string | null },
  isOther: boolean,
): Promise<Registered | null> {
  if (!wanted.name) return null;
  const found = await tx.db
    .select(registered)
    .from(clinicPatients)
    .where(
      and(
        isOf(clinicPatients, clinic),
        eq(clinicPatients.nameKey, nameKey(wanted.name)),
        wanted.phone ? eq(clinicPatients.phone, wanted.phone) : isNull(clinicPatients.phone),
        isOther
          ? sql`exists (select from imports i where i.id = ${clinicPatients.importId}
              and (i.id = ${record.id} or i.finished_at is null or i.finished_at >= ${(record.checkedAt ?? record.createdAt).toISOString()}::timestamptz))`
          : undefined,
      ),
    )
    .orderBy(asc(clinicPatients.createdAt), asc(clinicPatients.id))
    .for("key share");
  const key = wanted.number && numberKey(wanted.number);
  if (!key) return found[0] ?? null;
  return found.find(({ number }) => number && numberKey(number) === key) ?? found.find(({ number }) => !number) ?? null;
}

/** True when the clinic has this appointment of the patient: in the history, or booked. */
async function isHere(
  tx: Ctx,
  clinic: Clinic,
  person: Registered,
  values: AppointmentRow,
  doctor: DoctorOfClinic | null,
): Promise<boolean> {
  const { date, time } = values;
  const visit = visitOf(values, doctor);
  const past = await tx.db
    .select({ doctorId: pastAppointments.doctorId, doctorName: pastAppointments.doctorName, status: pastAppointments.status })
    .from(pastAppointments)
    .where(
      and(
        eq(pastAppointments.clinicPatientId, person.id),
        eq(pastAppointments.date, date),
        time ? eq(pastAppointments.time, time) : isNull(pastAppointments.time),
      ),
    );
  if (past.some((one) => isSameVisit(visit, one, time))) return true;
  if (!time || !person.phone) return false;
  const booked = await tx.db
    .select({ name: appointments.patientName, doctorId: appointments.doctorId, doctorName: doctors.fullName, status: importedStatus })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(
      and(isAppointmentOf(clinic), eq(appointments.patientPhone, person.phone), eq(appointments.date, date), eq(appointments.time, time)),
    );
  const isTheVisit = ({ name, ...one }: (typeof booked)[number]) => nameKey(name) === nameKey(person.name) && isSameVisit(visit, one, time);
  if (booked.some(isTheVisit)) return true;
  return (await listBooked(tx, clinic, person.phone as Phone)).some((one) => one.date === date && one.time === time && isTheVisit(one));
}
