import { and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { type ImportRowContent, importRows } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { RowDecision, RowGroup } from "#app/lib/vocabulary.ts";
import type { Clinic } from "./clinic.server.ts";
import type { Question } from "./match.ts";
import {
  type DoctorOfClinic,
  findDoctor,
  isToCome,
  listDoctors,
  openQuestion,
  readTimes,
  type Times,
  takeNextFree,
  takeSeat,
} from "./place-appointment.server.ts";
import type { RowProblem } from "./problems.ts";
import type { AppointmentRow } from "./rows.ts";
import { isAboutDoctor, isAboutTime } from "./words.ts";

const ASKED = ["patient-unclear", "patient-unknown", "doctor-needed", "time-taken", "time-closed"] as const satisfies readonly Question[];
/** Rows that are read at once. */
const PAGE = 5_000;

const fields = {
  number: importRows.number,
  question: importRows.reason,
  decision: importRows.decision,
  doctorId: importRows.decidedDoctorId,
  content: opened(importRows.content),
};
type Row = { number: number; question: string | null; decision: RowDecision | null; doctorId: string | null; content: ImportRowContent };
/** SQL: the row is decided, and is imported. */
const isDecided = and(
  eq(importRows.group, "decision"),
  inArray(importRows.reason, [...ASKED]),
  inArray(importRows.decision, ["same", "other", "doctor"]),
);
/** SQL: the row is imported as it is. */
const isSettled = or(eq(importRows.group, "new"), isDecided);

type Clinics = { doctors: DoctorOfClinic[]; times: Times; now: Date };
async function readClinic(tx: Ctx<Actor>, clinic: Clinic): Promise<Clinics> {
  const doctors = await listDoctors(tx, clinic);
  return { doctors, times: await readTimes(tx, clinic, todayInIndia(tx.now), doctors), now: tx.now };
}
const valuesOf = ({ content }: Row) => content.values as AppointmentRow;
const doctorOf = (row: Row, { doctors }: Clinics) =>
  doctors.find(({ id }) => id === row.doctorId) ?? findDoctor(valuesOf(row).doctor, doctors);

/** What a row is asked now, or why it cannot be booked at all. null: it is imported. */
type Next = { question: Question } | { problem: RowProblem } | { bookAt: string } | null;

/**
 * Asks rows of appointments what is still open after their decision: the doctor after the patient, the time after the doctor. A row that asks
 * nothing takes its seat, so that the commit books what the check shows.
 * @returns how many rows ask now
 */
export async function askNext(tx: Ctx<Actor>, clinic: Clinic, importId: string, of: SQL): Promise<number> {
  const decided = await tx.db
    .select(fields)
    .from(importRows)
    .where(and(eq(importRows.importId, importId), isDecided, of))
    .orderBy(asc(importRows.number));
  if (!decided.length) return 0;
  const here = await readClinic(tx, clinic);
  if (decided.some((row) => isToCome(tx.now, valuesOf(row))))
    await eachSettled(tx, importId, sql`(${of}) is not true`, (row) => takeOwnSeat(row, here));
  return store(
    tx,
    importId,
    decided.map((row): [Row, Next] => [row, nextOf(row, here)]),
  );
}

/** Asks rows whose time is gone since the check: the desk and patients go on booking. @returns how many */
export async function askAgain(tx: Ctx<Actor>, clinic: Clinic, importId: string): Promise<number> {
  const here = await readClinic(tx, clinic);
  const gone: [Row, Next][] = [];
  await eachSettled(tx, importId, undefined, (row) => {
    const question = takeOwnSeat(row, here);
    if (question) gone.push([row, { question }]);
  });
  return store(tx, importId, gone);
}

function nextOf(row: Row, here: Clinics): Next {
  const values = valuesOf(row);
  const doctor = doctorOf(row, here);
  if (isAboutTime(row.question)) {
    if (!doctor) return { question: "doctor-needed" };
    const bookAt = takeNextFree(here.times, doctor.id, values, here.now);
    return bookAt ? { bookAt } : { question: "day-full" };
  }
  // A new patient has no age and gender, which a booking needs.
  if (row.decision === "other" && isToCome(here.now, values)) return { problem: "patient-incomplete" };
  const question = openQuestion(values, { doctor, ...here });
  return question && { question };
}

/** Takes the seat of a row that is imported as it is. Returns what it has to be asked instead, when the seat is gone. */
function takeOwnSeat(row: Row, here: Clinics): Question | null {
  const values = valuesOf(row);
  if (!isToCome(here.now, values)) return null;
  const doctor = doctorOf(row, here);
  const { bookAt } = row.content;
  if (doctor && bookAt && isAboutTime(row.question)) return takeSeat(here.times, doctor.id, { date: values.date, time: bookAt });
  return openQuestion(values, { doctor, ...here });
}

async function eachSettled(tx: Ctx, importId: string, of: SQL | undefined, visit: (row: Row) => unknown): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await tx.db
      .select(fields)
      .from(importRows)
      .where(and(eq(importRows.importId, importId), isSettled, of, gt(importRows.number, after)))
      .orderBy(asc(importRows.number))
      .limit(PAGE);
    rows.forEach(visit);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.number;
  }
}

/** Stores what rows are asked, and the times that they get. @returns how many ask */
async function store(tx: Ctx, importId: string, all: readonly [Row, Next][]): Promise<number> {
  const changed = all.flatMap(([row, next]) => (next ? [jsonOf(importId, row, next)] : []));
  if (changed.length)
    await tx.db.execute(sql`update import_rows r set "group" = v."group", reason = v.reason, doctor_name = v.doctor_name, content = v.content, decision = v.decision
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as v(number int, "group" text, reason text, doctor_name text, content jsonb, decision text)
      where r.import_id = ${importId}::uuid and r.number = v.number`);
  return all.filter(([, next]) => next && "question" in next).length;
}

function jsonOf(importId: string, row: Row, next: NonNullable<Next>) {
  const { bookAt: _, ...content } = row.content;
  const isOther = row.decision === "other" && row.question === "patient-unclear";
  const question = "question" in next ? next.question : null;
  return {
    number: row.number,
    group: ("problem" in next ? "unreadable" : "decision") satisfies RowGroup,
    reason: "problem" in next ? next.problem : (question ?? row.question),
    decision: "bookAt" in next ? row.decision : null,
    doctor_name: isAboutDoctor(question) ? valuesOf(row).doctor : null,
    content: sealed(importRows.content, [importId, String(row.number)], {
      ...content,
      ...(isOther && { isOther }),
      ...("bookAt" in next && { bookAt: next.bookAt }),
    }),
  };
}
