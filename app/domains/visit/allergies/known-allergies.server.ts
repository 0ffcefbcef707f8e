import { and, desc, eq, ne } from "drizzle-orm";
import { doctors, encounters, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { findNoAllergies } from "#app/domains/patients/family/no-allergies.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { findLastNote } from "../encounters/last-note.server.ts";
import type { OwnVisit } from "../encounters/own-visit.server.ts";
import { findPermission } from "../encounters/permission.server.ts";
import { type NoneKnown, readAllergies, type WrittenAllergy } from "./known-allergies.ts";

/** Most notes of other doctors that are compared. */
const MOST_NOTES = 20;

/**
 * Returns what is written about a patient's allergies outside this visit: in the acting doctor's last note, and in the notes of other doctors that
 * the patient shares. Reading those writes the audit row.
 */
export async function readKnownAllergies(
  ctx: Ctx<Actor>,
  visit: OwnVisit,
): Promise<{ written: WrittenAllergy[]; noneKnown: NoneKnown | null }> {
  const [last, others] = [await findLastNote(ctx, visit, ne(encounters.id, visit.id)), await listSharedNotes(ctx, visit)];
  const written: WrittenAllergy[] = [];
  for (const { note, signedAt, doctor } of [...(last ? [last] : []), ...others]) {
    const { what } = readAllergies(note);
    const isKnown = written.some((one) => one.what.toLowerCase() === what.toLowerCase());
    if (what && !isKnown) written.push({ what, by: doctor, on: todayInIndia(signedAt) });
  }
  const none = last !== undefined && readAllergies(last.note).none;
  return { written, noneKnown: none ? { by: last.doctor, on: todayInIndia(last.signedAt) } : await findSaid(ctx, visit) };
}

/** Returns that the account of the patient said that there is no known allergy; null where it did not. */
export async function findSaid(ctx: Ctx, { patientId, patient }: OwnVisit): Promise<NoneKnown | null> {
  const said = await findNoAllergies(ctx, { patientId, name: patient.name });
  return said && { ...said, isPatient: true };
}

/** Reads the notes of other doctors with valid prescriptions for this patient; none without the patient's permission. */
async function listSharedNotes(ctx: Ctx<Actor>, visit: OwnVisit) {
  const permission = await findPermission(ctx, visit);
  if (!permission) return [];
  const { patientId, personKey } = permission;
  const rows = await ctx.db
    .select({ note: opened(visitNotes.content, visitNotes.dataKey), signedAt: visitNotes.signedAt, doctor: doctors.fullName })
    .from(visitNotes)
    .innerJoin(visitDocuments, and(eq(visitDocuments.id, visitNotes.documentId), eq(visitDocuments.state, "signed")))
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(eq(encounters.patientId, patientId), eq(encounters.personKey, personKey), ne(encounters.doctorId, visit.doctorId)))
    .orderBy(desc(visitNotes.signedAt))
    .limit(MOST_NOTES);
  const subject = { subjectType: "record-permission", subjectId: permission.id, personId: patientId } as const;
  if (rows.length) await recordRead(ctx, { ...subject, action: "read-shared-records" });
  return rows;
}
