import { and, asc, desc, eq, isNotNull, ne } from "drizzle-orm";
import { appointments, encounters, medicalRecords, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { reasonWord } from "#app/domains/booking/appointments/words.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { findSaid } from "../allergies/known-allergies.server.ts";
import { readAllergies } from "../allergies/known-allergies.ts";
import type { PrescriptionContent } from "../documents/content.ts";
import { readSigned, signedRow } from "../documents/verify.server.ts";
import { signedAnywayWord } from "../documents/words.ts";
import { findLastNote } from "../encounters/last-note.server.ts";
import { getOwnVisit, type OwnVisit } from "../encounters/own-visit.server.ts";
import { getDraft } from "../encounters/save-draft.server.ts";
import { doseSentence } from "../medicines/dose-sentence.ts";
import { listFavourites } from "../medicines/favourites.server.ts";
import { draftOfLine } from "../medicines/line.ts";
import { listOrders } from "../records/orders.server.ts";
import { getSharedBeside } from "../sharing/shared-records.server.ts";
import type { ShownCertificate, ShownVisit } from "./shown-visit.ts";

/** Most earlier visits beside a form. */
const MOST_EARLIER = 10;

const signedFields = {
  ...signedRow,
  state: visitDocuments.state,
  visitId: visitDocuments.encounterId,
  date: encounters.date,
  content: opened(visitDocuments.content, visitDocuments.dataKey),
  note: opened(visitNotes.content, visitNotes.dataKey),
};

/** Reads the signed prescriptions of the acting doctor with this patient, the latest first. A changed row is left out. */
async function listSigned(ctx: Ctx<Actor>, visit: OwnVisit, also: Parameters<typeof and>[0], most: number) {
  const rows = await ctx.db
    .select(signedFields)
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(visitNotes, eq(visitNotes.documentId, visitDocuments.id))
    .where(and(eq(encounters.doctorId, visit.doctorId), eq(encounters.personKey, visit.personKey), also))
    .orderBy(desc(encounters.date), desc(visitDocuments.signedAt))
    .limit(most);
  const found = await Promise.all(rows.map(async (row) => ({ row, content: await readSigned(ctx, row) })));
  return found.flatMap(({ row, content }) => (content?.kind === "prescription" ? [{ row, content }] : []));
}

const shown = ({
  row,
  content,
}: {
  row: { id: string; visitId: string; state: VisitDocumentState; date: DateKey; note: { complaint: string; findings: string } };
  content: PrescriptionContent;
}): ShownVisit => ({
  visitId: row.visitId,
  documentId: row.id,
  state: row.state,
  date: row.date,
  complaint: row.note.complaint,
  findings: row.note.findings,
  diagnosis: content.diagnosis,
  signedAnyway: content.signedAnyway ? signedAnywayWord(content.signedAnyway) : "",
  medicines: content.lines.map((line) => ({ name: line.name, strength: line.strength ?? "", dose: doseSentence(line, "en") })),
});

/** Reads the signed certificates of a visit, the latest first. A changed row is left out. */
async function listCertificates(ctx: Ctx<Actor>, visit: OwnVisit): Promise<ShownCertificate[]> {
  const rows = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .where(and(eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.kind, "certificate"), isNotNull(visitDocuments.signedAt)))
    .orderBy(desc(visitDocuments.signedAt));
  const found = await Promise.all(rows.map(async (row) => ({ row, content: await readSigned(ctx, row) })));
  return found.flatMap(({ row: { id, state }, content }) => {
    if (content?.kind !== "certificate") return [];
    const { type, from, until } = content;
    return [{ documentId: id, state, type, from, until }];
  });
}

/** Returns the visit page of the acting doctor: draft or signed prescription, earlier own visits, documents, favourites. @throws as getOwnVisit */
export async function getVisitPage(ctx: Ctx<Actor>, id: string | undefined) {
  const visit = await getOwnVisit(ctx, id);
  const saved = await getDraft(ctx, visit);
  const [last] = saved ? [await findLastNote(ctx, visit, ne(encounters.id, visit.id))] : [];
  const [signed, certificates, orders, earlier, favourites, documents, shared, said, booked] = await Promise.all([
    listSigned(ctx, visit, eq(encounters.id, visit.id), 10),
    visit.begun ? listCertificates(ctx, visit) : [],
    visit.begun ? listOrders(ctx, visit.id) : [],
    listSigned(ctx, visit, and(ne(encounters.id, visit.id), eq(visitDocuments.state, "signed")), MOST_EARLIER),
    listFavourites(ctx),
    visit.appointmentId === null
      ? []
      : ctx.db
          .select({ fileId: medicalRecords.fileId, description: opened(medicalRecords.description), at: medicalRecords.createdAt })
          .from(medicalRecords)
          .where(eq(medicalRecords.appointmentId, visit.appointmentId))
          .orderBy(asc(medicalRecords.createdAt)),
    getSharedBeside(ctx, visit),
    findSaid(ctx, visit),
    visit.appointmentId === null ? null : readBooked(ctx, visit.appointmentId),
  ]);
  const of =
    visit.appointmentId === null
      ? ({ subjectType: "visit", action: "read-visit" } as const)
      : ({ subjectType: "appointment", action: "read-appointment" } as const);
  await recordRead(ctx, { ...of, subjectId: visit.id, personId: visit.patientId });
  const { patient, appointmentId, date } = visit;
  return {
    visit: { id: visit.id, patient, appointmentId, date, hasAccount: visit.patientId !== null },
    saved,
    booked,
    known: {
      allergies: signed[0]?.content.allergies ?? "",
      conditions: signed[0]?.row.note.conditions ?? "",
      noneKnown:
        last && readAllergies(last.note).none
          ? { by: last.doctor, on: todayInIndia(last.signedAt) }
          : (signed[0]?.content.noneKnown ?? said),
      byOthers: shared?.known.flatMap(({ kind, what }) => (kind === "allergy" ? [what] : [])) ?? [],
    },
    signed: signed.map(shown),
    certificates,
    orders,
    earlier: earlier.map(shown),
    favourites,
    documents,
    shared,
  };
}

/** Returns the medicines of the doctor's last prescription for this patient as lines of a form; none without one. */
export async function listLastLines(ctx: Ctx<Actor>, visit: OwnVisit) {
  const [last] = await listSigned(ctx, visit, and(ne(encounters.id, visit.id), eq(visitDocuments.state, "signed")), 1);
  return last ? last.content.lines.map(draftOfLine) : [];
}

/** Returns what the patient wrote when booking. The caller has checked that the visit is the doctor's own. */
async function readBooked(ctx: Ctx, appointmentId: string): Promise<{ reason: string; history: string; note: string }> {
  const [row] = await ctx.db
    .select({
      reason: opened(appointments.reason),
      history: opened(appointments.medicalHistory),
      note: opened(appointments.patientNote),
    })
    .from(appointments)
    .where(eq(appointments.id, appointmentId));
  return { reason: row?.reason ? reasonWord(row.reason) : "", history: row?.history ?? "", note: row?.note ?? "" };
}
