import { and, eq, inArray } from "drizzle-orm";
import { importRows, imports } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { ROW_DECISIONS, type RowDecision } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { actForClinic, type Clinic } from "./clinic.server.ts";
import { fieldsOf, type ImportField } from "./columns.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { UNDO_DAYS } from "./limits.ts";
import { lockImport, NO_READING } from "./lock-import.server.ts";
import { spendCheck } from "./upload-import.server.ts";
import type { DateOrder } from "./values.ts";
import { decisionsFor } from "./words.ts";

/**
 * Stores what the columns are, and checks every row in a job.
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
    await tx.db
      .update(imports)
      .set({
        state: IMPORT_ACTIONS["choose-columns"].to,
        mapping: chosen,
        dateOrder: order,
        done: 0,
        createdBy: tx.actor.userId,
        updatedAt: tx.now,
      })
      .where(eq(imports.id, id));
    await enqueue(tx, "import", { importId: id });
  });
}

/** Stores decisions for rows that need one; null takes one back. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function decideRows(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, rows }: { id: string; rows: ReadonlyMap<number, RowDecision | null> },
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockImport(tx, clinic, id, "commit");
    if (!rows.size) return;
    const asked = await tx.db
      .select({ number: importRows.number, question: importRows.reason })
      .from(importRows)
      .where(and(eq(importRows.importId, id), eq(importRows.group, "decision"), inArray(importRows.number, [...rows.keys()])));
    for (const decision of [...ROW_DECISIONS, null]) {
      const numbers = asked
        .filter(({ number, question }) => rows.get(number) === decision && (decision === null || decisionsFor(question).includes(decision)))
        .map(({ number }) => number);
      if (numbers.length)
        await tx.db
          .update(importRows)
          .set({ decision })
          .where(and(eq(importRows.importId, id), inArray(importRows.number, numbers)));
    }
  });
}

/** Stores one decision for all rows that need one, as far as their question allows it. `question`: only for these. */
export async function decideAll(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { id, decision }: { id: string; decision: RowDecision | null },
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockImport(tx, clinic, id, "commit");
    const questions = await tx.db
      .selectDistinct({ question: importRows.reason })
      .from(importRows)
      .where(and(eq(importRows.importId, id), eq(importRows.group, "decision")));
    const allowed = questions.flatMap(({ question }) =>
      question && (decision === null || decisionsFor(question).includes(decision)) ? [question] : [],
    );
    if (allowed.length)
      await tx.db
        .update(importRows)
        .set({ decision })
        .where(and(eq(importRows.importId, id), eq(importRows.group, "decision"), inArray(importRows.reason, allowed)));
  });
}

/** Imports what was checked, in a job. A second press changes nothing. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function startImport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const record = await lockImport(tx, clinic, id, "commit");
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS.commit.to, done: 0, createdBy: tx.actor.userId, updatedAt: tx.now })
      .where(eq(imports.id, id));
    await recordChange(tx, "start-import", { subject: { import: id }, details: { kind: record.kind, rows: record.rowCount } });
    await enqueue(tx, "import", { importId: id });
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
