import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { clinicPatients, type ImportRowContent, importRows, patients, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { RowGroup, RowOutcome } from "#app/lib/vocabulary.ts";
import { type Clinic, columnsOf, isOf } from "./clinic.server.ts";
import { findPeople } from "./known-people.server.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { placePatient } from "./match.ts";
import type { PatientRow } from "./rows.ts";
import { nameKey } from "./values.ts";

export type StoredRow = typeof importRows.$inferSelect & { read: ImportRowContent };
/** What became of a row. `group` and `reason`: another answer than that of the check, because the clinic has changed since. */
export type Result = {
  number: number;
  outcome: RowOutcome;
  group?: RowGroup;
  reason?: string;
  clinicPatientId?: string | null;
  accountId?: string | null;
  pastAppointmentId?: string | null;
  appointmentId?: string | null;
  merged?: { filled: string[]; at: string; before: string } | null;
};
export const isLeftOut = ({ group, decision }: StoredRow) =>
  group === "unreadable" || (group === "decision" && (decision === null || decision === "leave-out"));

/**
 * Commits rows of patients. Another import may have added or removed persons since the check, so each row is compared with the clinic again: who
 * is here by now is not added, and a new question leaves the row out.
 */
export async function commitPatients(tx: Ctx<Actor>, record: ImportRecord, clinic: Clinic, rows: StoredRow[]): Promise<Result[]> {
  const results = new Map<number, Result>();
  const adds: { number: number; values: PatientRow }[] = [];
  const take = (result: Result) => results.set(result.number, result);
  const addAll = async () => {
    for (const added of await addPatients(tx, record, clinic, adds.splice(0))) take(added);
  };
  const valuesOf = (row: StoredRow) => row.read.values as PatientRow;
  const wanted = rows.filter((row) => !isLeftOut(row)).map(valuesOf);
  const people = await findPeople(tx, clinic, { wanted, except: record.id });
  const stored = await outcomesOf(
    tx,
    record,
    rows.flatMap(({ likeRow }) => likeRow ?? []),
  );
  for (const row of rows) {
    const { number, decision, group, likeRow } = row;
    const values = valuesOf(row);
    // A row is no duplicate of an earlier one that was left out.
    const isLost = likeRow !== null && (results.get(likeRow)?.outcome ?? stored.get(likeRow)) === "left-out";
    if (isLeftOut(row) || (isLost && (group === "here" || decision === "same"))) take({ number, outcome: "left-out" });
    // The person is an earlier row of the file.
    else if (group === "here" && likeRow !== null) take({ number, outcome: "here" });
    else {
      // What the earlier row has added is filled.
      if (adds.some((add) => add.number === likeRow)) await addAll();
      const merged =
        decision === "same"
          ? await mergePatient(tx, record, clinic, { number, id: await findLike(tx, record, row, results), values })
          : null;
      const verdict = placePatient(values, people);
      if (merged) take(merged);
      else if (verdict.group === "here") take({ number, outcome: "here" });
      else if (verdict.group === "new" || decision === "other") adds.push({ number, values });
      else take({ number, outcome: "left-out", group: "decision", reason: verdict.question });
    }
  }
  await addAll();
  return [...results.values()];
}

/** Returns what became of these rows of the file, as far as it is stored. */
async function outcomesOf(tx: Ctx, record: ImportRecord, numbers: number[]): Promise<Map<number, RowOutcome | null>> {
  if (!numbers.length) return new Map();
  const found = await tx.db
    .select({ number: importRows.number, outcome: importRows.outcome })
    .from(importRows)
    .where(and(eq(importRows.importId, record.id), inArray(importRows.number, numbers)));
  return new Map(found.map(({ number, outcome }) => [number, outcome]));
}

/** Adds patients, with the unclaimed accounts of their phones. Sends no notification. */
export async function addPatients(
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
export const auditPersons = (tx: Ctx<Actor>, record: ImportRecord, personIds: string[]) =>
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

/** Returns the id of the patient that a row is like: of the register, or of an earlier row of the file. `results`: of rows that are not stored yet. */
export async function findLike(
  tx: Ctx,
  record: ImportRecord,
  row: StoredRow,
  results?: ReadonlyMap<number, Result>,
): Promise<string | null> {
  if (isUuid(row.likeId ?? undefined)) return row.likeId;
  if (row.likeRow === null) return null;
  const fresh = results?.get(row.likeRow);
  if (fresh) return fresh.clinicPatientId ?? null;
  const [earlier] = await tx.db
    .select({ id: importRows.clinicPatientId })
    .from(importRows)
    .where(and(eq(importRows.importId, record.id), eq(importRows.number, row.likeRow)));
  return earlier?.id ?? null;
}

/** Fills the empty columns of the patient that a row is. Never replaces a value. null: that patient is gone. */
async function mergePatient(
  tx: Ctx<Actor>,
  record: ImportRecord,
  clinic: Clinic,
  { number, id, values }: { number: number; id: string | null; values: PatientRow },
): Promise<Result | null> {
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
  if (!before) return id ? null : { number, outcome: "here" };
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
    number,
    outcome: "merged",
    clinicPatientId: before.id,
    merged: { filled, at: tx.now.toISOString(), before: before.updatedAt.toISOString() },
  };
}
