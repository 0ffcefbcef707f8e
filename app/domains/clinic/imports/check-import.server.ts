import { and, eq, sql } from "drizzle-orm";
import { type ImportReading, type ImportRowContent, importRows, imports } from "#app/db/schema/index.ts";
import { open, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RowGroup } from "#app/lib/vocabulary.ts";
import { type Clinic, clinicOf } from "./clinic.server.ts";
import { fieldsOf, type ImportField, isDate } from "./columns.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { findPeople } from "./known-people.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { type KnownPerson, placePatient } from "./match.ts";
import { isToCome, placeAppointment, readDiary } from "./place-appointment.server.ts";
import { type FileRow, rowsOf } from "./read-sheet.server.ts";
import { type ReadingRules, readAppointment, readPatient } from "./rows.ts";
import { readImportFile } from "./upload-import.server.ts";
import { dateFrom1904 } from "./values.ts";
import { isAboutDoctor, type Stop } from "./words.ts";

/** Rows of one insert. */
const BATCH = 500;

type Placed = {
  group: RowGroup;
  reason?: string;
  content: Omit<ImportRowContent, "cells">;
  like?: KnownPerson | null;
  /** The doctor of the row, where it asks for one. */
  doctorName?: string | null;
};

export const openReading = (record: Pick<ImportRecord, "id" | "reading">): ImportReading =>
  open(imports.reading, record.id, record.reading);

/**
 * Reads every row of the file and puts it into one group. One transaction: a crash leaves nothing, and the retry starts again.
 * @returns why it cannot go on
 */
export async function checkImport(ctx: Ctx<Actor>, record: ImportRecord): Promise<Stop | null> {
  const table = await readImportFile(ctx, { fileId: record.fileId, sheet: openReading(record).sheet });
  if (!table) return "file-gone";
  const rows = rowsOf(table.rows);
  rows.next();
  await transact(ctx, async (tx) => {
    const [locked] = await tx.db
      .select({ id: imports.id })
      .from(imports)
      .where(and(eq(imports.id, record.id), eq(imports.state, "checking"), eq(imports.updatedAt, record.updatedAt)))
      .for("update", { skipLocked: true });
    if (!locked) return;
    await tx.db.delete(importRows).where(eq(importRows.importId, record.id));
    const place = await placerOf(tx, record);
    let batch: Json[] = [];
    const store = async () => {
      if (batch.length) await storeRows(tx, record.id, batch);
      batch = [];
    };
    for (const { number, cells } of rows) {
      const row = { number, cells: table.isFrom1904 ? datesFrom1904(cells, record.mapping) : cells };
      batch.push(valuesOf(record.id, row, place(row)));
      if (batch.length === BATCH) await store();
    }
    await store();
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS.check.to, checkedAt: tx.now, updatedAt: tx.now })
      .where(eq(imports.id, record.id));
  });
  return null;
}

/** The cells of a workbook without their formats: as dates, also in the file of rows that is corrected and imported again. */
const datesFrom1904 = (cells: readonly string[], mapping: ImportRecord["mapping"]): string[] =>
  cells.map((cell, i) => (isDate(mapping[i] as ImportField | null) ? dateFrom1904(cell) : cell));

type Json = Record<string, unknown>;
function valuesOf(importId: string, { number, cells }: FileRow, { group, reason, content, like, doctorName }: Placed): Json {
  return {
    number,
    group,
    reason,
    content: sealed(importRows.content, [importId, String(number)], { cells, ...content }),
    // A person who has appointments only is in no row of the register.
    like_id: like && like.row === null && isUuid(like.id) ? like.id : null,
    like_row: like?.row,
    doctor_name: doctorName,
  };
}
/** One parameter for all rows: a statement with thousands takes longer to write than to run. */
const storeRows = (tx: Ctx, importId: string, rows: Json[]) =>
  tx.db.execute(sql`insert into import_rows (import_id, number, "group", reason, content, like_id, like_row, doctor_name)
    select ${importId}::uuid, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(number int, "group" text, reason text, content jsonb, like_id uuid, like_row int, doctor_name text)`);
const likeOf = (person: KnownPerson | null): ImportRowContent["like"] =>
  person && {
    ...{ name: person.name, phone: person.phone, number: person.number, gender: person.gender, row: person.row },
    ...{ birthDate: person.born?.date ?? null, about: person.born?.about ?? false, address: person.address ?? null },
  };

/** Returns the function that places one row after the other. */
async function placerOf(tx: Ctx<Actor>, record: ImportRecord): Promise<(row: FileRow) => Placed> {
  const clinic: Clinic = clinicOf(record);
  const today = todayInIndia(tx.now);
  const known = fieldsOf(record.kind) as readonly string[];
  const rules: ReadingRules = {
    mapping: record.mapping.map((field) => (field !== null && known.includes(field) ? (field as ImportField) : null)),
    order: record.dateOrder,
    today,
  };
  const people = await findPeople(tx, clinic);
  if (record.kind === "appointments") {
    const diary = await readDiary(tx, clinic, today);
    return ({ cells }) => {
      const read = readAppointment(cells, rules);
      if ("problem" in read) return { group: "unreadable", reason: read.problem, content: { values: null, notices: [], like: null } };
      const verdict = placeAppointment(read.values, { people, diary, now: tx.now });
      if (read.values.paid && isToCome(tx.now, read.values)) read.notices.push("payment-not-stored");
      const content = { values: read.values, notices: read.notices, like: likeOf("person" in verdict ? verdict.person : null) };
      if (verdict.group === "unreadable") return { group: "unreadable", reason: verdict.problem, content };
      if (verdict.group !== "decision") return { group: verdict.group, content, like: verdict.person };
      return {
        ...{ group: verdict.group, reason: verdict.question, content, like: verdict.person },
        doctorName: isAboutDoctor(verdict.question) ? read.values.doctor : null,
      };
    };
  }
  return ({ number, cells }) => {
    const read = readPatient(cells, rules);
    if ("problem" in read) return { group: "unreadable", reason: read.problem, content: { values: null, notices: [], like: null } };
    const verdict = placePatient(read.values, people);
    const person = "person" in verdict ? verdict.person : null;
    // Later rows may be the same person.
    if (verdict.group !== "here") people.add({ id: String(number), row: number, ...read.values });
    return {
      group: verdict.group,
      ...(verdict.group === "decision" && { reason: verdict.question }),
      content: { values: read.values, notices: read.notices, like: likeOf(person) },
      like: person,
    };
  };
}
