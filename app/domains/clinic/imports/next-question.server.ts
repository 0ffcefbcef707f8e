import { and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { type ImportRowContent, importRows } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { RowDecision } from "#app/lib/vocabulary.ts";
import type { Clinic } from "./clinic.server.ts";
import type { Question } from "./match.ts";
import { type DoctorOfClinic, findDoctor, isToCome, listDoctors, openQuestion, readTimes, type Times } from "./place-appointment.server.ts";
import type { AppointmentRow } from "./rows.ts";
import { isAboutDoctor } from "./words.ts";

const FIRST = ["patient-unclear", "patient-unknown", "doctor-needed"] as const satisfies readonly Question[];
/** Rows that are read at once. */
const PAGE = 5_000;

const fields = {
  number: importRows.number,
  question: importRows.reason,
  decision: importRows.decision,
  doctorId: importRows.decidedDoctorId,
  content: opened(importRows.content),
};
type Row = { decision: RowDecision | null; doctorId: string | null; content: ImportRowContent };
/** SQL: the row is decided, and asks nothing else. */
const isDecided = and(
  eq(importRows.group, "decision"),
  inArray(importRows.reason, [...FIRST]),
  inArray(importRows.decision, ["same", "other", "doctor"]),
);

/**
 * Asks rows of appointments what is still open after their decision: the doctor after the patient, the time after the doctor.
 * @returns how many rows ask now
 */
export async function askNext(tx: Ctx<Actor>, clinic: Clinic, importId: string, of: SQL): Promise<number> {
  const decided = await tx.db
    .select(fields)
    .from(importRows)
    .where(and(eq(importRows.importId, importId), isDecided, of))
    .orderBy(asc(importRows.number));
  if (!decided.length) return 0;
  const doctors = await listDoctors(tx, clinic);
  const times = await readTimes(tx, clinic, todayInIndia(tx.now), doctors);
  const open = (row: Row) => openOf(tx.now, row, { doctors, times });
  if (decided.some(({ content }) => isToCome(tx.now, content.values as AppointmentRow))) await eachOtherRow(tx, importId, of, open);
  const asked = decided.flatMap((row) => {
    const { number, question, decision, content } = row;
    const isOther = decision === "other" && question === "patient-unclear";
    const next = open(row);
    return next ? [jsonOf(importId, number, next, { ...content, ...(isOther && { isOther }) })] : [];
  });
  if (asked.length)
    await tx.db.execute(sql`update import_rows r set reason = v.reason, doctor_name = v.doctor_name, content = v.content, decision = null
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as v(number int, reason text, doctor_name text, content jsonb)
      where r.import_id = ${importId}::uuid and r.number = v.number`);
  return asked.length;
}

/** Returns what is open, and takes the seat of a row that asks nothing. */
function openOf(now: Date, { decision, doctorId, content }: Row, { doctors, times }: { doctors: DoctorOfClinic[]; times: Times }) {
  const values = content.values as AppointmentRow;
  // A new patient has no age and gender: the row cannot be booked, whatever else is decided.
  if (decision === "other" && isToCome(now, values)) return null;
  const doctor = doctors.find(({ id }) => id === doctorId) ?? findDoctor(values.doctor, doctors);
  return openQuestion(values, { doctor, times, now });
}

/** Visits the rows that will be imported as they are, apart from those of `of`: they have their seats already. */
async function eachOtherRow(tx: Ctx, importId: string, of: SQL, visit: (row: Row) => unknown): Promise<void> {
  const isSettled = or(eq(importRows.group, "new"), isDecided);
  for (let after = 0; ; ) {
    const rows = await tx.db
      .select(fields)
      .from(importRows)
      .where(and(eq(importRows.importId, importId), isSettled, sql`(${of}) is not true`, gt(importRows.number, after)))
      .orderBy(asc(importRows.number))
      .limit(PAGE);
    rows.forEach(visit);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.number;
  }
}

const jsonOf = (importId: string, number: number, next: Question, content: ImportRowContent) => ({
  number,
  reason: next,
  doctor_name: isAboutDoctor(next) ? (content.values as AppointmentRow).doctor : null,
  content: sealed(importRows.content, [importId, String(number)], content),
});
