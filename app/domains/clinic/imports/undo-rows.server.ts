import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { clinicPatients, importRows, pastAppointments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import type { RowOutcome } from "#app/lib/vocabulary.ts";
import { clinicOf } from "./clinic.server.ts";
import { personsOfHistory } from "./commit-appointments.server.ts";
import { BATCH } from "./commit-rows.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { undoAppointments } from "./undo-appointments.server.ts";

type Row = typeof importRows.$inferSelect;

/**
 * SQL: the patient has been used since the import: changed, merged, booked, or part of a later import. They stay. Of the appointments of the
 * account only those count that are at this clinic, which must not learn of others, and that this import did not book. A token has a sealed
 * name: one of the family keeps them all.
 */
export const isUsed = (importId: string) => sql<boolean>`(
  p.updated_at > p.created_at
  or exists (select from past_appointments h where h.clinic_patient_id = p.id and h.import_id is distinct from ${importId}::uuid)
  or exists (select from import_rows o where o.clinic_patient_id = p.id and o.import_id <> ${importId}::uuid and o.outcome in ('added', 'merged'))
  or exists (select from appointments a
    where (a.doctor_id = p.doctor_id or a.hospital_id = p.hospital_id) and a.patient_id = p.patient_id and a.patient_phone = p.phone and lower(a.patient_name) = lower(p.name) and a.created_at >= p.created_at
    and not exists (select from import_rows o where o.appointment_id = a.id and o.import_id = ${importId}::uuid))
  or exists (select from queue_entries q join queue_sessions s on s.id = q.session_id join doctors d on d.id = s.doctor_id join practices pr on pr.id = s.practice_id
    where (s.doctor_id = p.doctor_id or coalesce(pr.hospital_id, d.hospital_id) = p.hospital_id)
    and q.patient_id = p.patient_id and q.created_at >= p.created_at))`;

/** Undoes the next rows, the last one first: what a row added after another one goes before it. @returns how many; 0: there are no more */
export async function undoRows(tx: Ctx, record: ImportRecord): Promise<number> {
  const clinic = clinicOf(record);
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import:${clinic.hospitalId ?? clinic.doctorId}`}, 0))`);
  const rows = await tx.db
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, record.id), inArray(importRows.outcome, ["added", "merged"])))
    .orderBy(sql`${importRows.number} desc`)
    .limit(BATCH);
  if (!rows.length) return (await removeAddedByAppointments(tx, record)) || removeAccounts(tx, record.id);
  const outcomes = new Map<number, RowOutcome>(rows.map(({ number }) => [number, "removed"]));
  const stays = (row: Row) => outcomes.set(row.number, "stays");
  for (const row of rows) if (row.merged && !(await restore(tx, row))) stays(row);
  await removeHistory(tx, record, rows);
  const gone = await undoAppointments(
    tx,
    rows.flatMap(({ appointmentId }) => appointmentId ?? []),
  );
  for (const row of rows) if (row.appointmentId && !gone.has(row.appointmentId)) stays(row);
  const added = rows.filter((row) => row.outcome === "added" && record.kind === "patients" && row.clinicPatientId);
  const used = await findUsed(
    tx,
    record.id,
    added.map(({ clinicPatientId }) => clinicPatientId!),
  );
  for (const row of added) if (used.has(row.clinicPatientId!)) stays(row);
  await setOutcomes(tx, record.id, outcomes);
  const unused = added.filter(({ clinicPatientId }) => !used.has(clinicPatientId!)).map(({ clinicPatientId }) => clinicPatientId!);
  await removePatients(tx, record, unused);
  return rows.length;
}

async function removePatients(tx: Ctx, record: ImportRecord, ids: string[]): Promise<void> {
  if (!ids.length) return;
  // The rows of the import outlive the patients that they added.
  await tx.db.update(importRows).set({ clinicPatientId: null }).where(inArray(importRows.clinicPatientId, ids));
  const removed = await tx.db
    .delete(clinicPatients)
    .where(inArray(clinicPatients.id, ids))
    .returning({ personId: clinicPatients.patientId });
  await recordUndone(
    tx,
    record,
    removed.flatMap(({ personId }) => personId ?? []),
  );
}
const recordUndone = (tx: Ctx, record: ImportRecord, personIds: string[]) =>
  recordChanges(
    tx,
    "import-undo-patient",
    [...new Set(personIds)].map((patient) => ({ subject: { import: record.id }, people: { patient } })),
  );

/** Removes the patients whom an import of appointments added. @returns how many */
async function removeAddedByAppointments(tx: Ctx, record: ImportRecord): Promise<number> {
  if (record.kind !== "appointments") return 0;
  const rows = await tx.db.execute<{ id: string }>(
    sql`select p.id from clinic_patients p where p.import_id = ${record.id} and not ${isUsed(record.id)} limit ${BATCH} for update of p`,
  );
  await removePatients(
    tx,
    record,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

const setOutcomes = (tx: Ctx, importId: string, outcomes: Map<number, RowOutcome>) =>
  tx.db.execute(sql`update import_rows r set outcome = v.outcome
    from jsonb_to_recordset(${JSON.stringify([...outcomes].map(([number, outcome]) => ({ number, outcome })))}::jsonb) as v(number int, outcome text)
    where r.import_id = ${importId} and r.number = v.number`);

/** Empties what a merge filled, unless the patient was changed since. @returns whether it did */
async function restore(tx: Ctx, { merged, clinicPatientId }: Row): Promise<boolean> {
  if (!merged?.filled.length || !clinicPatientId) return true;
  const emptied = Object.fromEntries(merged.filled.map((column) => [column, column === "birthAbout" ? false : null]));
  const restored = await tx.db
    .update(clinicPatients)
    .set({ ...emptied, updatedAt: new Date(merged.before) })
    .where(and(eq(clinicPatients.id, clinicPatientId), eq(clinicPatients.updatedAt, new Date(merged.at))))
    .returning({ id: clinicPatients.id });
  return restored.length > 0;
}

async function removeHistory(tx: Ctx, record: ImportRecord, rows: Row[]): Promise<void> {
  const ids = rows.flatMap(({ pastAppointmentId }) => pastAppointmentId ?? []);
  if (!ids.length) return;
  await recordUndone(tx, record, await personsOfHistory(tx, ids));
  await tx.db.delete(pastAppointments).where(inArray(pastAppointments.id, ids));
}

async function findUsed(tx: Ctx, importId: string, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set();
  const used = await tx.db.execute<{ id: string }>(
    sql`select p.id from clinic_patients p where p.id in (${sql.join(
      ids.map((id) => sql`${id}::uuid`),
      sql`, `,
    )}) and ${isUsed(importId)} for update of p`,
  );
  return new Set(used.map(({ id }) => id));
}

/** Deletes the accounts that the import made and that nobody uses. @returns how many rows it looked at */
async function removeAccounts(tx: Ctx, importId: string): Promise<number> {
  const rows = await tx.db
    .select({ number: importRows.number, id: importRows.accountId })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), isNotNull(importRows.accountId)))
    .orderBy(asc(importRows.number))
    .limit(BATCH);
  if (!rows.length) return 0;
  const ids = sql.join(
    rows.map(({ id }) => sql`${id}::uuid`),
    sql`, `,
  );
  await tx.db.execute(sql`with gone as (
      select p.id from patients p join users u on u.id = p.id
      where p.id in (${ids}) and p.unclaimed_since is not null
        and not exists (select from clinic_patients c where c.patient_id = p.id)
        and not exists (select from appointments a where a.patient_id = p.id)
        and not exists (select from queue_entries q where q.patient_id = p.id)
        and not exists (select from waitlist_entries w where w.patient_id = p.id)
        and not exists (select from message_threads t where t.patient_id = p.id)
      for update of u, p
    ) delete from users u using gone where u.id = gone.id`);
  await tx.db
    .update(importRows)
    .set({ accountId: null })
    .where(
      and(
        eq(importRows.importId, importId),
        inArray(
          importRows.number,
          rows.map(({ number }) => number),
        ),
      ),
    );
  return rows.length;
}
