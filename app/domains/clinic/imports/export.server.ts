import { createHash, randomUUID } from "node:crypto";
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, ne, notInArray, or, sql } from "drizzle-orm";
import { writeXlsxStream } from "hucre/xlsx";
import {
  appointments,
  clinicExports,
  clinicPatients,
  doctors,
  files,
  importRows,
  imports,
  pastAppointments,
  payments,
  practices,
} from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { putSealed, readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { secondInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days, hours } from "#app/lib/durations.ts";
import { isUuid, randomToken } from "#app/lib/ids.server.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { DELETED_NAME, type ExportFormat, type ExportKind, type ImportState } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { actForClinic, type Clinic, clinicOf, columnsOf, isOf } from "./clinic.server.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { isAppointmentOf } from "./known-people.server.ts";
import { STORED_DAYS, UNDO_DAYS } from "./limits.ts";
import { NO_READING } from "./lock-import.server.ts";
import { ABOUT, nameKey } from "./values.ts";

/** How long the link of an export works. */
export const EXPORT_LIFE = hours(24);

/** Starts an export. A job writes its file. @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden") */
export async function requestExport(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { kind, format }: { kind: ExportKind; format: ExportFormat },
): Promise<string> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data");
  await spendLimits(acting, [{ limit: "export", key: ctx.actor.userId }]);
  const id = randomUUID();
  await transact(acting, async (tx) => {
    await tx.db.insert(clinicExports).values({
      id,
      ...columnsOf(clinic),
      kind,
      format,
      createdBy: tx.actor.userId,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + EXPORT_LIFE),
    });
    await recordChange(tx, "export-patients", { subject: { export: id }, details: { kind, format } });
    await enqueue(tx, "export", { exportId: id });
  });
  return id;
}

export type ExportItem = {
  id: string;
  kind: ExportKind;
  format: ExportFormat;
  rowCount: number;
  isReady: boolean;
  createdAt: Date;
  expiresAt: Date;
};
const selectExports = (ctx: Ctx, clinic: Clinic, id?: string) =>
  ctx.db
    .select({
      id: clinicExports.id,
      kind: clinicExports.kind,
      format: clinicExports.format,
      rowCount: clinicExports.rowCount,
      isReady: sql<boolean>`${clinicExports.fileId} is not null`,
      createdAt: clinicExports.createdAt,
      expiresAt: clinicExports.expiresAt,
    })
    .from(clinicExports)
    .where(and(isOf(clinicExports, clinic), gt(clinicExports.expiresAt, ctx.now), id === undefined ? undefined : eq(clinicExports.id, id)))
    .orderBy(desc(clinicExports.createdAt))
    .limit(10);

/** Returns the exports whose links still work, the newest first. @throws DomainError("not-found" | "forbidden") */
export async function listExports(ctx: Ctx<Actor>, clinic: Clinic): Promise<ExportItem[]> {
  await actForClinic(ctx, clinic);
  return selectExports(ctx, clinic);
}
/** Returns an export whose link still works. @throws DomainError("not-found" | "forbidden") */
export async function getExport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<ExportItem> {
  await actForClinic(ctx, clinic);
  const [found] = await selectExports(ctx, clinic, id);
  if (!found) throw new DomainError("not-found");
  return found;
}

/** Returns the file of an export. @throws DomainError("not-found" | "forbidden" | "unproven") */
export async function openExport(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  id: string | undefined,
): Promise<{ bytes: Uint8Array; mediaType: string; name: string }> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data");
  if (!isUuid(id)) throw new DomainError("not-found");
  const [file] = await acting.db
    .select({ ...storedFile, mediaType: files.mediaType, name: opened(files.originalName) })
    .from(clinicExports)
    .innerJoin(files, eq(files.id, clinicExports.fileId))
    .where(and(eq(clinicExports.id, id), isOf(clinicExports, clinic), gt(clinicExports.expiresAt, ctx.now)));
  const bytes = file && (await readStored(acting, file));
  if (!bytes) throw new DomainError("not-found");
  await recordRead(acting, { action: "read-export", subjectType: "export", subjectId: id });
  return { bytes, mediaType: file.mediaType, name: file.name };
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Writes the file of an export. Safe to repeat. */
export async function writeExport(ctx: Ctx, exportId: string): Promise<void> {
  const [record] = await ctx.db
    .select()
    .from(clinicExports)
    .where(and(eq(clinicExports.id, exportId), isNull(clinicExports.fileId)));
  if (!record) return;
  const { head, rows } = await tableOf(ctx, clinicOf(record), record.kind);
  const bytes = record.format === "csv" ? Buffer.from(csvFile(head, rows)) : await workbookOf(record.kind, [head, ...rows]);
  const key = `export/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  const stored = await putSealed(ctx.integrations.storage, {
    id: randomUUID(),
    storageKey: key,
    name: `nadi-${record.kind}-${todayInIndia(ctx.now)}.${record.format}`,
    bytes,
  });
  await transact(ctx, async (tx) => {
    await tx.db.insert(files).values({
      ...stored,
      ownerId: record.createdBy,
      purpose: "export",
      status: "attached",
      mediaType: MEDIA_TYPES[record.format],
      createdAt: tx.now,
    });
    await tx.db
      .update(clinicExports)
      .set({ fileId: stored.id, rowCount: rows.length, finishedAt: tx.now })
      .where(eq(clinicExports.id, exportId));
  });
}

async function workbookOf(name: string, rows: string[][]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // As text: Excel would shorten numbers of patients and change dates.
  for await (const chunk of writeXlsxStream(rows, { name })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type Table = { head: string[]; rows: string[][] };
const tableOf = (ctx: Ctx, clinic: Clinic, kind: ExportKind): Promise<Table> =>
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
    .orderBy(asc(clinicPatients.nameKey), asc(clinicPatients.phone), asc(clinicPatients.number), asc(clinicPatients.id));
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
        .map(({ name, phone, birthDate, gender }) => [name, phoneText(phone), bornText(birthDate, false), gender, "", "", "", ""]),
    ],
  };
}
const bookedPatients = (ctx: Ctx, clinic: Clinic) =>
  ctx.db
    .select({
      name: appointments.patientName,
      phone: appointments.patientPhone,
      birthDate: sql<string | null>`max(${appointments.patientBirthDate})::text`,
      gender: sql<string>`max(${appointments.patientGender})`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
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
      status: sql<string>`case when ${appointments.status} = 'completed' then 'seen' when ${appointments.status} = 'cancelled' then 'cancelled'
        when ${appointments.noShowAt} is not null then 'no-show' else 'booked' end`,
      fee: appointments.fee,
      paid: sql<number | null>`(select sum(p.amount - p.refunded) from payments p where p.appointment_id = ${appointments.id})::float8`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
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
      refunded: payments.refunded,
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

const UNSTARTED: readonly ImportState[] = ["uploaded", "checking", "checked"];

/**
 * Deletes expired exports, and the files and rows of imports after 30 days: never while a job imports or undoes them, and not while they can
 * be undone. Run by the hourly sweep.
 */
export async function sweepMovedData(ctx: Ctx): Promise<void> {
  const old = new Date(ctx.now.getTime() - days(STORED_DAYS));
  const undoable = new Date(ctx.now.getTime() - days(UNDO_DAYS + 1));
  const discarded = await transact(ctx, async (tx) => {
    const expired = await tx.db
      .delete(clinicExports)
      .where(lt(clinicExports.expiresAt, ctx.now))
      .returning({ fileId: clinicExports.fileId });
    const stale = await tx.db
      .select({ id: imports.id, fileId: imports.fileId, state: imports.state })
      .from(imports)
      .where(
        and(
          lt(imports.createdAt, old),
          notInArray(imports.state, ["importing", "undoing"]),
          or(isNull(imports.finishedAt), lt(imports.finishedAt, undoable)),
          or(isNotNull(imports.fileId), sql`exists (select from import_rows r where r.import_id = ${imports.id})`),
        ),
      )
      .limit(50)
      .for("update", { skipLocked: true });
    for (const { id, state } of stale) {
      await tx.db.delete(importRows).where(eq(importRows.importId, id));
      await tx.db
        .update(imports)
        .set({
          fileId: null,
          reading: sealed(imports.reading, id, NO_READING),
          ...(UNSTARTED.includes(state) && { state: IMPORT_ACTIONS.discard.to }),
        })
        .where(eq(imports.id, id));
    }
    return discardFiles(
      tx,
      [...expired, ...stale].flatMap(({ fileId }) => fileId ?? []),
    );
  });
  await removeDiscarded(ctx, discarded);
}
