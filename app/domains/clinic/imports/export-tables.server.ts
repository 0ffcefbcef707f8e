import { and, asc, eq, ne, sql } from "drizzle-orm";
import { appointments, clinicPatients, doctors, pastAppointments, payments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { VISIT_SUMS } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { notReturned } from "#app/domains/money/payments/queries.server.ts";
import { secondInIndia, todayInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { DELETED_NAME, type ExportKind } from "#app/lib/vocabulary.ts";
import { type Clinic, isOf } from "./clinic.server.ts";
import { bookedBorn, importedStatus, isAppointmentOf } from "./known-people.server.ts";
import { ABOUT, nameKey } from "./values.ts";

type Table = { head: string[]; rows: string[][] };
/** Returns the table of an export, in the columns that an import reads. */
export const tableOf = (ctx: Ctx, clinic: Clinic, kind: ExportKind): Promise<Table> =>
  kind === "patients" ? patientsTable(ctx, clinic) : kind === "appointments" ? appointmentsTable(ctx, clinic) : paymentsTable(ctx, clinic);

/** "9848012345" */
const phoneText = (phone: string | null) => phone?.replace(/^\+91/, "") ?? "";
const bornText = (date: string | null, about: boolean) => (date ? `${about ? ABOUT : ""}${date}` : "");

/** The patients of the register, then those who only have appointments, in the columns that an import reads. */
async function patientsTable(ctx: Ctx, clinic: Clinic): Promise<Table> {
  const registered = await ctx.db
    .select({
      name: clinicPatients.name,
      key: clinicPatients.nameKey,
      phone: clinicPatients.phone,
      birthDate: clinicPatients.birthDate,
      about: clinicPatients.birthAbout,
      gender: clinicPatients.gender,
      blood: opened(clinicPatients.bloodGroup),
      address: opened(clinicPatients.address),
      number: clinicPatients.number,
      note: opened(clinicPatients.note),
    })
    .from(clinicPatients)
    .where(isOf(clinicPatients, clinic))
    .orderBy(
      asc(clinicPatients.nameKey),
      asc(clinicPatients.phone),
      asc(clinicPatients.number),
      asc(clinicPatients.birthDate),
      asc(clinicPatients.id),
    );
  const known = new Set(registered.map(({ key, phone }) => `${key}|${phone ?? ""}`));
  const booked = await bookedPatients(ctx, clinic);
  return {
    head: ["Name", "Phone", "Age or date of birth", "Gender", "Blood group", "Address", "Number", "Note"],
    rows: [
      ...registered.map((row) => [
        row.name,
        phoneText(row.phone),
        bornText(row.birthDate, row.about),
        row.gender ?? "",
        row.blood ?? "",
        row.address ?? "",
        row.number ?? "",
        row.note ?? "",
      ]),
      ...booked
        .filter(({ name, phone }) => !known.has(`${nameKey(name)}|${phone}`))
        .map(({ name, phone, birthDate, about, gender }) => [name, phoneText(phone), bornText(birthDate, about), gender, "", "", "", ""]),
    ],
  };
}
const bookedPatients = (ctx: Ctx, clinic: Clinic) =>
  ctx.db
    .select({
      name: appointments.patientName,
      phone: appointments.patientPhone,
      ...bookedBorn(todayInIndia(ctx.now)),
      gender: sql<string>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .where(and(isAppointmentOf(clinic), ne(appointments.patientName, DELETED_NAME)))
    .groupBy(appointments.patientName, appointments.patientPhone)
    .orderBy(asc(appointments.patientName), asc(appointments.patientPhone));

const amountText = (amount: number | null) => (amount === null ? "" : rupeesPlain(amount));

/** History from before Nadi and the appointments in Nadi, in the columns that an import reads. */
async function appointmentsTable(ctx: Ctx, clinic: Clinic): Promise<Table> {
  const past = await ctx.db
    .select({
      date: pastAppointments.date,
      time: sql<string | null>`to_char(${pastAppointments.time}, 'HH24:MI')`,
      doctor: pastAppointments.doctorName,
      number: clinicPatients.number,
      phone: clinicPatients.phone,
      name: clinicPatients.name,
      status: pastAppointments.status,
      fee: pastAppointments.fee,
      paid: pastAppointments.paid,
    })
    .from(pastAppointments)
    .innerJoin(clinicPatients, eq(clinicPatients.id, pastAppointments.clinicPatientId))
    .where(isOf(clinicPatients, clinic));
  const booked = await ctx.db
    .select({
      date: appointments.date,
      time: sql<string | null>`to_char(${appointments.time}, 'HH24:MI')`,
      doctor: doctors.fullName,
      number: sql<string | null>`null`,
      phone: appointments.patientPhone,
      name: appointments.patientName,
      status: importedStatus,
      fee: appointments.fee,
      paid: sql<number | null>`nullif(${VISIT_SUMS.received}, 0) - ${VISIT_SUMS.refunded} + ${VISIT_SUMS.notReturned}`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(isAppointmentOf(clinic), ne(appointments.patientName, DELETED_NAME)));
  const rows = [...past, ...booked].map((row) => [
    row.date,
    row.time ?? "",
    row.doctor,
    row.number ?? "",
    phoneText(row.phone),
    row.name,
    row.status,
    amountText(row.fee),
    amountText(row.paid),
  ]);
  // One order, however it is stored: an export after an import is the same file.
  rows.sort((a, b) => (a.join("\t") < b.join("\t") ? -1 : 1));
  return { head: ["Date", "Time", "Doctor", "Number", "Phone", "Name", "Status", "Fee", "Paid"], rows };
}

/** What the clinic received, also of doctors who have left; never what a doctor received. */
async function paymentsTable(ctx: Ctx, clinic: Clinic): Promise<Table> {
  const found = await ctx.db
    .select({
      at: payments.receivedAt,
      date: appointments.date,
      doctor: doctors.fullName,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      method: payments.method,
      amount: payments.amount,
      refunded: sql<number>`${payments.refunded} - ${notReturned("amount")}`,
    })
    .from(payments)
    .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(eq(payments.merchantId, clinic.hospitalId ?? clinic.doctorId))
    .orderBy(asc(payments.receivedAt), asc(payments.id));
  return {
    head: ["Received at", "Appointment on", "Doctor", "Name", "Phone", "Method", "Amount", "Refunded"],
    rows: found.map((row) => [
      secondInIndia(row.at),
      row.date,
      row.doctor,
      row.name,
      phoneText(row.phone),
      row.method,
      amountText(row.amount),
      amountText(row.refunded),
    ]),
  };
}
