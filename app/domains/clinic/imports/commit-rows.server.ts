import { randomUUID } from "node:crypto";
import { and, asc, eq, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import { clinicPatients, type ImportRowContent, importRows, pastAppointments, patients, users } from "#app/db/schema/index.ts";
import { open, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RowOutcome } from "#app/lib/vocabulary.ts";
import { bookImported } from "./book-imported.server.ts";
import { type Clinic, clinicOf, columnsOf, isOf } from "./clinic.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { findDoctor, isToCome, listDoctors } from "./place-appointment.server.ts";
import type { AppointmentRow, PatientRow } from "./rows.ts";
import { nameKey } from "./values.ts";

/** Rows of one transaction. */
export const BATCH = 250;

type StoredRow = typeof importRows.$inferSelect & { read: ImportRowContent };
/** What became of a row. */
type Result = {
  number: number;
  outcome: RowOutcome;
  clinicPatientId?: string | null;
  accountId?: string | null;
  pastAppointmentId?: string | null;
  appointmentId?: string | null;
  merged?: { filled: string[]; at: string; before: string } | null;
};

/** Commits the next rows. @returns how many; 0: there are no more */
export async function commitRows(tx: Ctx<Actor>, record: ImportRecord): Promise<number> {
  const clinic = clinicOf(record);
  // Two imports of a clinic take turns: each finds what the other has added.
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import:${clinic.hospitalId ?? clinic.doctorId}`}, 0))`);
  const stored = await tx.db
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, record.id), isNull(importRows.outcome)))
    .orderBy(asc(importRows.number))
    .limit(BATCH);
  if (!stored.length) return 0;
  const rows = stored.map(
    (row): StoredRow => ({ ...row, read: open(importRows.content, [row.importId, String(row.number)], row.content) }),
  );
  const results =
    record.kind === "patients" ? await commitPatients(tx, record, clinic, rows) : await commitAppointments(tx, record, clinic, rows);
  await storeResults(tx, record.id, results);
  return rows.length;
}

const storeResults = (tx: Ctx, importId: string, results: Result[]) =>
  tx.db.execute(sql`update import_rows r set outcome = v.outcome, clinic_patient_id = v."clinicPatientId", account_id = v."accountId",
      past_appointment_id = v."pastAppointmentId", appointment_id = v."appointmentId", merged = v.merged
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as v(number int, outcome text, "clinicPatientId" uuid, "accountId" uuid,
      "pastAppointmentId" uuid, "appointmentId" uuid, merged jsonb)
    where r.import_id = ${importId} and r.number = v.number`);

const isLeftOut = ({ group, decision }: StoredRow) =>
  group === "unreadable" || (group === "decision" && (decision === null || decision === "leave-out"));

async function commitPatients(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, rows: StoredRow[]): Promise<Result[]> {
  const results: Result[] = [];
  const adds: { number: number; values: PatientRow }[] = [];
  const merges: { row: StoredRow; values: PatientRow }[] = [];
  for (const row of rows) {
    const values = row.read.values as PatientRow;
    if (isLeftOut(row)) results.push({ number: row.number, outcome: "left-out" });
    else if (row.group === "here") results.push({ number: row.number, outcome: "here" });
    else if (row.decision === "same") merges.push({ row, values });
    else adds.push({ number: row.number, values });
  }
  const since = await findAddedSince(
    tx,
    record,
    clinic,
    adds.map(({ values }) => values),
  );
  const fresh = adds.filter(({ number, values }) => {
    const known = since.get(personKey(values));
    if (known) results.push({ number, outcome: "here" });
    return !known;
  });
  results.push(...(await addPatients(tx, record, clinic, fresh)));
  for (const { row, values } of merges) results.push(await mergePatient(tx, record, clinic, row, values));
  return results;
}
const personKey = ({ name, phone, number }: Pick<PatientRow, "name" | "phone" | "number">) =>
  [nameKey(name), phone ?? "", number ?? ""].join("|");

/** Returns the persons whom another import has added since this one was checked. */
async function findAddedSince(tx: Ctx, record: ImportRecord, clinic: Clinic, adds: PatientRow[]): Promise<Map<string, string>> {
  if (!adds.length) return new Map();
  const found = await tx.db
    .select({ id: clinicPatients.id, name: clinicPatients.name, phone: clinicPatients.phone, number: clinicPatients.number })
    .from(clinicPatients)
    .where(
      and(
        isOf(clinicPatients, clinic),
        ne(clinicPatients.importId, record.id),
        gte(clinicPatients.createdAt, record.checkedAt ?? record.createdAt),
        inArray(clinicPatients.nameKey, [...new Set(adds.map(({ name }) => nameKey(name)))]),
      ),
    );
  return new Map(found.map((row) => [personKey(row), row.id]));
}

/** Adds patients, with the unclaimed accounts of their phones. Nobody is notified. */
async function addPatients(
  tx: Ctx<Actor>,
  record: ImportRecord,
  clinic: Clinic,
  adds: { number: number; values: PatientRow }[],
): Promise<Result[]> {
  if (!adds.length) return [];
  const { accounts, made } = await ensureAccounts(
    tx,
    adds.flatMap(({ values }) => values.phone ?? []),
  );
  const added = adds.map(({ number, values }) => ({
    number,
    values,
    id: randomUUID(),
    patientId: values.phone ? (accounts.get(values.phone) ?? null) : null,
  }));
  await tx.db.insert(clinicPatients).values(
    added.map(({ id, patientId, values }) => ({
      id,
      ...columnsOf(clinic),
      patientId,
      name: values.name,
      nameKey: nameKey(values.name),
      phone: values.phone,
      birthDate: values.born?.date ?? null,
      birthAbout: values.born?.about ?? false,
      gender: values.gender,
      bloodGroup: sealed(clinicPatients.bloodGroup, id, values.blood),
      address: sealed(clinicPatients.address, id, values.address),
      number: values.number,
      note: sealed(clinicPatients.note, id, values.note),
      importId: record.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })),
  );
  await auditPersons(
    tx,
    record,
    added.flatMap(({ patientId }) => patientId ?? []),
  );
  return added.map(({ number, id, patientId }) => {
    // One row of a family remembers that the import made its account.
    const accountId = patientId !== null && made.delete(patientId) ? patientId : null;
    return { number, outcome: "added" as const, clinicPatientId: id, accountId };
  });
}

/** Who opened or changed my data: one line for each person and import. */
const auditPersons = (tx: Ctx<Actor>, record: ImportRecord, personIds: string[]) =>
  recordChanges(
    tx,
    "import-patient",
    [...new Set(personIds)].map((patient) => ({ subject: { import: record.id }, people: { patient } })),
  );

/** Returns the account of each phone. An unknown phone gets an unclaimed one, as for a caller. */
async function ensureAccounts(tx: Ctx, phones: string[]): Promise<{ accounts: Map<string, string>; made: Set<string> }> {
  // In one order: two imports would wait for each other's phones.
  const wanted = [...new Set(phones)].sort();
  if (!wanted.length) return { accounts: new Map(), made: new Set() };
  const made = await tx.db
    .insert(users)
    .values(wanted.map((phone) => ({ role: "patient" as const, phone, createdAt: tx.now, updatedAt: tx.now })))
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (made.length)
    await tx.db.insert(patients).values(made.map(({ id }) => ({ id, unclaimedSince: tx.now, createdAt: tx.now, updatedAt: tx.now })));
  const all = await tx.db
    .select({ id: users.id, phone: users.phone })
    .from(users)
    .innerJoin(patients, eq(patients.id, users.id))
    .where(and(eq(users.role, "patient"), inArray(users.phone, wanted)))
    .for("key share", { of: users });
  return { accounts: new Map(all.map(({ id, phone }) => [phone ?? "", id])), made: new Set(made.map(({ id }) => id)) };
}

/** Returns the id of the patient that a row is like: of the register, or of an earlier row of the file. */
async function findLike(tx: Ctx, record: ImportRecord, row: StoredRow): Promise<string | null> {
  if (isUuid(row.likeId ?? undefined)) return row.likeId;
  if (row.likeRow === null) return null;
  const [earlier] = await tx.db
    .select({ id: importRows.clinicPatientId })
    .from(importRows)
    .where(and(eq(importRows.importId, record.id), eq(importRows.number, row.likeRow)));
  return earlier?.id ?? null;
}

/** Fills the empty columns of the patient that a row is. Never replaces a value. */
async function mergePatient(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, row: StoredRow, values: PatientRow): Promise<Result> {
  const id = await findLike(tx, record, row);
  const [before] = id
    ? await tx.db
        .select({
          id: clinicPatients.id,
          patientId: clinicPatients.patientId,
          birthDate: clinicPatients.birthDate,
          gender: clinicPatients.gender,
          bloodGroup: clinicPatients.bloodGroup,
          address: clinicPatients.address,
          number: clinicPatients.number,
          note: clinicPatients.note,
          updatedAt: clinicPatients.updatedAt,
        })
        .from(clinicPatients)
        .where(and(eq(clinicPatients.id, id), isOf(clinicPatients, clinic)))
        .for("update")
    : [];
  // A patient with appointments and no row in the register: nothing to fill.
  if (!before) return { number: row.number, outcome: "here" };
  const news = {
    ...(before.birthDate === null && values.born && { birthDate: values.born.date, birthAbout: values.born.about }),
    ...(before.gender === null && values.gender && { gender: values.gender }),
    ...(before.bloodGroup === null && values.blood && { bloodGroup: sealed(clinicPatients.bloodGroup, before.id, values.blood) }),
    ...(before.address === null && values.address && { address: sealed(clinicPatients.address, before.id, values.address) }),
    ...(before.number === null && values.number && { number: values.number }),
    ...(before.note === null && values.note && { note: sealed(clinicPatients.note, before.id, values.note) }),
  };
  const filled = Object.keys(news);
  if (filled.length)
    await tx.db
      .update(clinicPatients)
      .set({ ...news, updatedAt: tx.now })
      .where(eq(clinicPatients.id, before.id));
  if (before.patientId) await auditPersons(tx, record, [before.patientId]);
  return {
    number: row.number,
    outcome: "merged",
    clinicPatientId: before.id,
    merged: { filled, at: tx.now.toISOString(), before: before.updatedAt.toISOString() },
  };
}

async function commitAppointments(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, rows: StoredRow[]): Promise<Result[]> {
  const all = await listDoctors(tx, clinic);
  const results: Result[] = [];
  for (const row of rows) {
    if (isLeftOut(row)) results.push({ number: row.number, outcome: "left-out" });
    else if (row.group === "here") results.push({ number: row.number, outcome: "here" });
    else results.push(await commitAppointment(tx, record, clinic, row, all));
  }
  return results;
}

async function commitAppointment(
  tx: Ctx<Actor>,
  record: ImportRecord,
  clinic: Clinic,
  row: StoredRow,
  all: Awaited<ReturnType<typeof listDoctors>>,
): Promise<Result> {
  const values = row.read.values as AppointmentRow;
  const { number } = row;
  let clinicPatientId = await findRegistered(tx, record, clinic, row);
  let accountId: string | null = null;
  if (clinicPatientId === null || (row.decision === "other" && row.reason === "patient-unclear")) {
    // A patient who so far only had appointments is the one that they name.
    const like = row.decision === "other" ? null : row.read.like;
    const known = {
      name: like?.name ?? values.name ?? "",
      phone: like?.phone ?? values.phone,
      born: like?.birthDate ? { date: like.birthDate, about: false } : null,
      gender: like?.gender ?? null,
      number: values.number,
    };
    if (!known.name) return { number, outcome: "left-out" };
    const [added] = await addPatients(tx, record, clinic, [{ number, values: { ...known, blood: null, address: null, note: null } }]);
    clinicPatientId = added!.clinicPatientId!;
    accountId = added!.accountId ?? null;
  }
  const result = { number, outcome: "added" as const, clinicPatientId, accountId };
  const doctor = findDoctor(values.doctor, all);
  if (isToCome(tx.now, values)) {
    if (!doctor) return { ...result, outcome: "left-out" };
    const nextFree = row.reason === "time-taken" || row.reason === "time-closed";
    const appointmentId = await bookImported(tx, { clinic, clinicPatientId, doctorId: doctor.id, row: values, nextFree });
    return appointmentId === null ? { number, outcome: "left-out", accountId } : { ...result, appointmentId };
  }
  const [past] = await tx.db
    .insert(pastAppointments)
    .values({
      clinicPatientId,
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

/** Returns the row of the register of an appointment's patient. A patient who only has appointments gets one. */
async function findRegistered(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, row: StoredRow): Promise<string | null> {
  const id = await findLike(tx, record, row);
  if (id) {
    const [found] = await tx.db
      .select({ id: clinicPatients.id })
      .from(clinicPatients)
      .where(and(eq(clinicPatients.id, id), isOf(clinicPatients, clinic)));
    return found?.id ?? null;
  }
  const { like } = row.read;
  const wanted = like ?? (row.read.values as AppointmentRow);
  if (!wanted.name) return null;
  // An earlier row of this import may have added them.
  const [found] = await tx.db
    .select({ id: clinicPatients.id })
    .from(clinicPatients)
    .where(
      and(
        isOf(clinicPatients, clinic),
        eq(clinicPatients.nameKey, nameKey(wanted.name)),
        wanted.phone ? eq(clinicPatients.phone, wanted.phone) : isNull(clinicPatients.phone),
      ),
    )
    .limit(1);
  return found?.id ?? null;
}
