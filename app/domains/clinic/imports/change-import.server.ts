import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { importRows, imports } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import type { RowDecision } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { openReading } from "./check-import.server.ts";
import { actForClinic, type Clinic } from "./clinic.server.ts";
import { dateOrderOf, fieldsOf, type ImportField, isDate } from "./columns.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { UNDO_DAYS } from "./limits.ts";
import { lockImport, NO_READING } from "./lock-import.server.ts";
import { askAgain, askNext } from "./next-question.server.ts";
import { listDoctors } from "./place-appointment.server.ts";
import { spendCheck } from "./upload-import.server.ts";
import type { DateOrder } from "./values.ts";
import { decisionsFor } from "./words.ts";

/**
 * Stores what the columns are, and checks every row in a job. The dates of a column that was not guessed may have two readings: then nothing is
 * checked, and the page asks.
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "too-many"), "invalid" without a column that identifies a patient
 */
export async function chooseColumns(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, mapping, order }: { id: string; mapping: readonly (ImportField | null)[]; order: DateOrder },
): Promise<void> {
  await spendCheck(await actForClinic(ctx, clinic));
  await transact(ctx, async (tx) => {
    const record = await lockImport(tx, clinic, id, "choose-columns");
    const fields = fieldsOf(record.kind);
    const chosen = Array.from({ length: record.columnCount }, (_, i) => {
      const field = mapping[i] ?? null;
      return field !== null && fields.includes(field) ? field : null;
    });
    const has = (field: ImportField) => chosen.includes(field);
    if (record.kind === "patients" && !has("name")) throw new DomainError("invalid", m.import_needs_name());
    if (record.kind === "appointments" && !(has("date") && (has("name") || has("number"))))
      throw new DomainError("invalid", m.import_needs_date_and_patient());
    const reading = openReading(record);
    const dates = dateOrderOf(reading.columns.flatMap((column, i) => (isDate(chosen[i]) && column.dates) || []));
    if (dates.ask && !reading.ask) {
      const asked = sealed(imports.reading, id, { ...reading, ask: dates.ask });
      await tx.db
        .update(imports)
        .set({ state: IMPORT_ACTIONS["read-again"].to, reading: asked, mapping: chosen, updatedAt: tx.now })
        .where(eq(imports.id, id));
      return;
    }
    await tx.db
      .update(imports)
      .set({
        state: IMPORT_ACTIONS["choose-columns"].to,
        mapping: chosen,
        dateOrder: dates.isDecided ? dates.order : order,
        done: 0,
        createdBy: tx.actor.userId,
        updatedAt: tx.now,
      })
      .where(eq(imports.id, id));
    await enqueue(tx, "import", { importId: id });
  });
}

/** A decision about a row. null: none yet. */
export type RowChoice = { decision: Exclude<RowDecision, "doctor"> | null } | { decision: "doctor"; doctorId: string };
/** The rows that a decision for several is about: of one question, of one name of a doctor (null: of none). Without any: all that need a decision. */
export type RowsAsked = { question?: string | undefined; doctorName?: string | null | undefined };

/**
 * Stores decisions for rows that need one. A decision that the question does not allow is left out.
 * @returns how many rows ask something else now
 * @throws DomainError("not-found" | "forbidden" | "conflict"), "invalid" for a doctor who is not of the clinic
 */
export async function decideRows(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, rows }: { id: string; rows: ReadonlyMap<number, RowChoice> },
): Promise<number> {
  return transact(ctx, async (tx) => {
    await lockImport(tx, clinic, id, "commit");
    await requireDoctors(tx, clinic, [...rows.values()]);
    if (!rows.size) return 0;
    const asked = await tx.db
      .select({ number: importRows.number, question: importRows.reason })
      .from(importRows)
      .where(and(eq(importRows.importId, id), eq(importRows.group, "decision"), inArray(importRows.number, [...rows.keys()])));
    const alike = Map.groupBy(
      asked.filter(({ number, question }) => isAllowed(rows.get(number)!, question)),
      ({ number }) => JSON.stringify(rows.get(number)),
    );
    for (const same of alike.values())
      await tx.db
        .update(importRows)
        .set(columnsOfChoice(rows.get(same[0]!.number)!))
        .where(
          and(
            eq(importRows.importId, id),
            inArray(
              importRows.number,
              same.map(({ number }) => number),
            ),
          ),
        );
    return askNext(tx, clinic, id, inArray(importRows.number, [...rows.keys()]));
  });
}

/** Stores one decision for several rows that need one, as far as their question allows it. Returns and throws as `decideRows`. */
export async function decideAll(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, question, doctorName, ...choice }: { id: string } & RowChoice & RowsAsked,
): Promise<number> {
  return transact(ctx, async (tx) => {
    await lockImport(tx, clinic, id, "commit");
    await requireDoctors(tx, clinic, [choice]);
    const of = and(
      eq(importRows.importId, id),
      eq(importRows.group, "decision"),
      question === undefined ? undefined : eq(importRows.reason, question),
      doctorName === undefined ? undefined : doctorName === null ? isNull(importRows.doctorName) : eq(importRows.doctorName, doctorName),
    );
    const questions = await tx.db.selectDistinct({ question: importRows.reason }).from(importRows).where(of);
    const allowed = questions.flatMap((row) => (row.question && isAllowed(choice, row.question) ? [row.question] : []));
    if (allowed.length)
      await tx.db
        .update(importRows)
        .set(columnsOfChoice(choice))
        .where(and(of, inArray(importRows.reason, allowed)));
    return askNext(tx, clinic, id, of!);
  });
}
/** Stores a decision for all rows, then those for single ones: both or none. @throws as `decideRows` */
export const decideAllAndRows = (
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, all, rows }: { id: string; all: (RowChoice & RowsAsked) | null; rows: ReadonlyMap<number, RowChoice> },
): Promise<number> =>
  transact(ctx, async (tx) => {
    const asked = all ? await decideAll(tx, clinic, { id, ...all }) : 0;
    return asked + (await decideRows(tx, clinic, { id, rows }));
  });
const isAllowed = ({ decision }: RowChoice, question: string | null) => decision === null || decisionsFor(question).includes(decision);
const columnsOfChoice = (choice: RowChoice) => ({
  decision: choice.decision,
  // The doctor stays decided while the time is asked about.
  decidedDoctorId:
    choice.decision === "doctor"
      ? choice.doctorId
      : sql`case when ${importRows.reason} not in ('doctor-unknown', 'doctor-needed') then ${importRows.decidedDoctorId} end`,
});
async function requireDoctors(tx: Ctx<Actor>, clinic: Clinic, choices: readonly RowChoice[]): Promise<void> {
  const ids = choices.flatMap((choice) => (choice.decision === "doctor" ? [choice.doctorId] : []));
  if (!ids.length) return;
  const all = await listDoctors(tx, clinic);
  if (!ids.every((id) => all.some((doctor) => doctor.id === id))) throw new DomainError("invalid", m.import_ask_doctor());
}

/**
 * Imports what was checked, in a job. A second press changes nothing. When the time of a row is gone since the check, the row asks again, and
 * nothing is imported yet.
 * @returns how many rows ask again
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function startImport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<number> {
  return transact(ctx, async (tx) => {
    const record = await lockImport(tx, clinic, id, "commit");
    const asked = record.kind === "appointments" ? await askAgain(tx, clinic, id) : 0;
    if (asked) return asked;
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS.commit.to, done: 0, createdBy: tx.actor.userId, updatedAt: tx.now })
      .where(eq(imports.id, id));
    await recordChange(tx, "start-import", { subject: { import: id }, details: { kind: record.kind, rows: record.rowCount } });
    await enqueue(tx, "import", { importId: id });
    return 0;
  });
}

/** Returns the instant until which an import can be undone. */
export const undoableUntil = (finishedAt: Date): Date => new Date(finishedAt.getTime() + days(UNDO_DAYS));

/** Undoes an import as a whole, in a job. @throws DomainError("unproven" | "not-found" | "forbidden" | "conflict") */
export async function undoImport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<void> {
  requireProof(ctx, "import-data");
  await transact(ctx, async (tx) => {
    const record = await lockImport(tx, clinic, id, "undo");
    if (!record.finishedAt || undoableUntil(record.finishedAt) < tx.now) throw new DomainError("conflict", m.import_undo_over());
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS.undo.to, done: 0, createdBy: tx.actor.userId, updatedAt: tx.now })
      .where(eq(imports.id, id));
    await recordChange(tx, "undo-import", { subject: { import: id }, details: { kind: record.kind } });
    await enqueue(tx, "import", { importId: id });
  });
}

/** Discards an import that was not started, with its file. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function discardImport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<void> {
  const discarded = await transact(ctx, async (tx) => {
    const record = await lockImport(tx, clinic, id, "discard");
    await tx.db.delete(importRows).where(eq(importRows.importId, id));
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS.discard.to, fileId: null, reading: sealed(imports.reading, id, NO_READING), updatedAt: tx.now })
      .where(eq(imports.id, id));
    return record.fileId ? discardFiles(tx, [record.fileId]) : [];
  });
  await removeDiscarded(ctx, discarded);
}
