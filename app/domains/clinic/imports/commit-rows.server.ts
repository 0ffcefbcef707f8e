import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { importRows } from "#app/db/schema/index.ts";
import { open } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { clinicOf } from "./clinic.server.ts";
import { commitAppointments } from "./commit-appointments.server.ts";
import { commitPatients, type Result, type StoredRow } from "./commit-patients.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";

/** Rows of one transaction. */
export const BATCH = 250;

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
  tx.db.execute(sql`update import_rows r set outcome = v.outcome, "group" = coalesce(v."group", r."group"),
      reason = coalesce(v.reason, r.reason), decision = case when v."group" is null then r.decision end, clinic_patient_id = v."clinicPatientId", account_id = v."accountId",
      past_appointment_id = v."pastAppointmentId", appointment_id = v."appointmentId", merged = v.merged
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as v(number int, outcome text, "group" text, reason text, "clinicPatientId" uuid, "accountId" uuid,
      "pastAppointmentId" uuid, "appointmentId" uuid, merged jsonb)
    where r.import_id = ${importId} and r.number = v.number`);
