import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type ImportRowContent, importRows } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Clinic } from "./clinic.server.ts";
import type { Question } from "./match.ts";
import { findDoctor, isToCome, listDoctors, openQuestion, readTimes } from "./place-appointment.server.ts";
import type { AppointmentRow } from "./rows.ts";
import { isAboutDoctor } from "./words.ts";

const FIRST = ["patient-unclear", "patient-unknown", "doctor-needed"] as const satisfies readonly Question[];

/**
 * Asks rows of appointments what is still open after their decision: the doctor after the patient, the time after the doctor.
 * @returns how many rows ask now
 */
export async function askNext(tx: Ctx<Actor>, clinic: Clinic, importId: string, of: SQL | undefined): Promise<number> {
  const decided = await tx.db
    .select({
      number: importRows.number,
      question: importRows.reason,
      decision: importRows.decision,
      doctorId: importRows.decidedDoctorId,
      content: opened(importRows.content),
    })
    .from(importRows)
    .where(
      and(
        eq(importRows.importId, importId),
        eq(importRows.group, "decision"),
        of,
        inArray(importRows.reason, [...FIRST]),
        inArray(importRows.decision, ["same", "other", "doctor"]),
      ),
    )
    .orderBy(asc(importRows.number));
  if (!decided.length) return 0;
  const doctors = await listDoctors(tx, clinic);
  const times = await readTimes(tx, clinic, todayInIndia(tx.now), doctors);
  const asked = decided.flatMap(({ number, question, decision, doctorId, content }) => {
    const values = content.values as AppointmentRow;
    const isOther = decision === "other" && question === "patient-unclear";
    // A new patient has no age and gender: the row cannot be booked, whatever else is decided.
    if (decision === "other" && isToCome(tx.now, values)) return [];
    const doctor = doctors.find(({ id }) => id === doctorId) ?? findDoctor(values.doctor, doctors);
    const next = openQuestion(values, { doctor, times, now: tx.now });
    return next ? [jsonOf(importId, number, next, { ...content, ...(isOther && { isOther }) })] : [];
  });
  if (asked.length)
    await tx.db.execute(sql`update import_rows r set reason = v.reason, doctor_name = v.doctor_name, content = v.content, decision = null
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as v(number int, reason text, doctor_name text, content jsonb)
      where r.import_id = ${importId}::uuid and r.number = v.number`);
  return asked.length;
}

const jsonOf = (importId: string, number: number, next: Question, content: ImportRowContent) => ({
  number,
  reason: next,
  doctor_name: isAboutDoctor(next) ? (content.values as AppointmentRow).doctor : null,
  content: sealed(importRows.content, [importId, String(number)], content),
});
