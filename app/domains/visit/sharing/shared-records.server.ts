import { and, eq, exists, inArray, isNotNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  appointments,
  encounters,
  type NoteContent,
  queueEntries,
  queueSessions,
  recordPermissions,
  visitDocuments,
  visitNotes,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { readAllergies } from "../allergies/known-allergies.ts";
import type { SignedContent } from "../documents/content.ts";
import { readSigned, signedRow } from "../documents/verify.server.ts";
import { findPermission, isLive, type OfPerson, type Permission } from "../encounters/permission.server.ts";
import { readTimeline } from "../records/timeline.server.ts";
import type { TimelineEntry } from "../records/timeline.ts";
import type { SharedBeside } from "./permission.ts";

/**
 * Returns the patient of an appointment, visit or queue entry of the acting doctor.
 * @throws DomainError("not-found")
 */
async function findPatient(ctx: Ctx<Actor>, id: string | undefined): Promise<OfPerson & { name: string }> {
  if (ctx.actor.role !== "doctor" || !isUuid(id)) throw new DomainError("not-found");
  const doctorId = ctx.actor.userId;
  const [begun] = await ctx.db
    .select({ patientId: encounters.patientId, personKey: encounters.personKey, patient: opened(encounters.patient) })
    .from(encounters)
    .where(and(eq(encounters.id, id), eq(encounters.doctorId, doctorId)));
  if (begun) return { patientId: begun.patientId, personKey: begun.personKey, name: begun.patient.name };
  const [booked] = await ctx.db
    .select({ patientId: appointments.patientId, name: appointments.patientName })
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(appointments.doctorId, doctorId)));
  if (booked) return { ...booked, personKey: await personKeyOf(ctx, booked.patientId, booked.name) };
  const [waiting] = await ctx.db
    .select({ patientId: queueEntries.patientId, name: opened(queueEntries.name) })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .where(and(eq(queueEntries.id, id), eq(queueSessions.doctorId, doctorId), isNotNull(queueEntries.patientId)));
  if (!waiting?.patientId) throw new DomainError("not-found");
  return { patientId: waiting.patientId, name: waiting.name, personKey: await personKeyOf(ctx, waiting.patientId, waiting.name) };
}

/** What a permission opens: everything but receipts and the documents of cancelled appointments. */
const isShared = (entry: TimelineEntry): boolean => entry.kind !== "receipt" && !(entry.kind === "document" && !entry.open);

async function readShared(ctx: Ctx<Actor>, { id, patientId, personKey }: Permission): Promise<TimelineEntry[]> {
  const entries = await readTimeline(ctx, { patientId, person: { key: personKey } });
  const subject = { subjectType: "record-permission", subjectId: id, personId: patientId } as const;
  await recordRead(ctx, { ...subject, action: "read-shared-records" });
  return entries.filter(isShared).map(({ words: _, ...entry }) => entry as TimelineEntry);
}

/** Most records of others beside a visit. The page of all records has the rest. */
const MOST_BESIDE = 6;

/** Returns what a valid permission opens beside a visit of the acting doctor; null without one. Writes the audit row. */
export async function getSharedBeside(ctx: Ctx<Actor>, of: OfPerson & { appointmentId?: string | null }): Promise<SharedBeside | null> {
  const permission = await findPermission(ctx, of);
  if (!permission) return null;
  const all = await readShared(ctx, permission);
  // The doctor's own visits and the documents of this appointment are on the page already.
  const others = all.filter((entry) => entry.kind !== "visit" && entry.doctor?.id !== ctx.actor.userId);
  const notes = await listNotes(
    ctx,
    permission,
    others.flatMap((entry) => (entry.kind === "prescription" && entry.state === "signed" ? [entry.id] : [])).slice(0, 20),
  );
  const known = new Map<string, SharedBeside["known"][number]>();
  for (const entry of others) {
    const note = notes.get(entry.id);
    const add = (kind: "allergy" | "condition", what = "") => {
      const key = `${kind} ${what.toLowerCase()}`;
      if (what && !known.has(key)) known.set(key, { kind, what, doctor: entry.doctor?.name ?? "", date: entry.date });
    };
    add("allergy", note && readAllergies(note).what);
    add("condition", note?.conditions);
  }
  return { until: permission.until, entries: others.slice(0, MOST_BESIDE), total: all.length, known: [...known.values()] };
}

/** Returns the notes of signed prescriptions of a person, by the id of the prescription. */
async function listNotes(ctx: Ctx<Actor>, { patientId, personKey }: Permission, ids: string[]): Promise<Map<string, NoteContent>> {
  if (!ids.length) return new Map();
  const rows = await ctx.db
    .select({ id: visitNotes.documentId, note: opened(visitNotes.content, visitNotes.dataKey) })
    .from(visitNotes)
    .innerJoin(visitDocuments, eq(visitDocuments.id, visitNotes.documentId))
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(and(inArray(visitNotes.documentId, ids), eq(encounters.patientId, patientId), eq(encounters.personKey, personKey)));
  return new Map(rows.map(({ id, note }) => [id, note]));
}

const PAGE = 20;

export type SharedPage = {
  name: string;
  until: DateKey;
  entries: (TimelineEntry & { note: NoteContent | null })[];
  hasMore: boolean;
};

/**
 * Returns a page of the records that a patient of the acting doctor shares, with the notes of signed visits. `id`: an appointment or a visit of
 * the doctor with this patient. Writes the audit row.
 * @throws DomainError("not-found"), also without a valid permission
 */
export async function getSharedPage(ctx: Ctx<Actor>, input: { id: string | undefined; page: number }): Promise<SharedPage> {
  const { name, ...of } = await findPatient(ctx, input.id);
  const permission = await findPermission(ctx, of);
  if (!permission) throw new DomainError("not-found");
  const all = await readShared(ctx, permission);
  const shown = all.slice((input.page - 1) * PAGE, input.page * PAGE);
  const notes = await listNotes(
    ctx,
    permission,
    shown.flatMap((entry) => (entry.kind === "prescription" ? [entry.id] : [])),
  );
  return {
    name,
    until: permission.until,
    entries: shown.map((entry) => ({ ...entry, note: notes.get(entry.id) ?? null })),
    hasMore: all.length > input.page * PAGE,
  };
}

/** True when a patient of the acting doctor shares records: the page of all records opens. @throws as findPatient */
export async function sharesRecords(ctx: Ctx<Actor>, id: string | undefined): Promise<boolean> {
  return (await findPermission(ctx, await findPatient(ctx, id))) !== null;
}

/**
 * Returns a signed document of another doctor that the patient shares with the acting doctor. `id`: as in getSharedPage. Writes the audit row.
 * @throws DomainError("not-found"), also without a valid permission, or when the signature does not match
 */
export async function getSharedDocument(
  ctx: Ctx<Actor>,
  input: { id: string | undefined; documentId: string | undefined },
): Promise<{ content: SignedContent; state: VisitDocumentState }> {
  const { documentId } = input;
  if (!isUuid(documentId)) throw new DomainError("not-found");
  const permission = await findPermission(ctx, await findPatient(ctx, input.id));
  if (!permission) throw new DomainError("not-found");
  const { patientId, personKey } = permission;
  const [row] = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(
      and(
        eq(visitDocuments.id, documentId),
        eq(encounters.patientId, patientId),
        eq(encounters.personKey, personKey),
        isNotNull(visitDocuments.signedAt),
      ),
    );
  const content = row && (await readSigned(ctx, row));
  if (!row || !content) throw new DomainError("not-found");
  const subject = { subjectType: "record-permission", subjectId: permission.id, personId: patientId } as const;
  await recordRead(ctx, { ...subject, action: "read-shared-document", details: { document: documentId } });
  return { content, state: row.state };
}

/** SQL: the acting doctor has a valid permission for some person of the account `owner`. isFileShared checks which. */
export const sharedFileOf = (ctx: Ctx<Actor>, owner: PgColumn): SQL =>
  exists(
    ctx.db
      .select({ id: recordPermissions.id })
      .from(recordPermissions)
      .where(and(eq(recordPermissions.patientId, owner), eq(recordPermissions.doctorId, ctx.actor.userId), isLive(ctx))),
  );

/** True when a file of a patient is in the records that the acting doctor may see. `of`: from the file's row. */
export async function isFileShared(
  ctx: Ctx<Actor>,
  of: { patientId: string; ownKey: string | null; appointment: { name: string; isOpen: boolean } | null },
): Promise<boolean> {
  const { patientId, ownKey, appointment } = of;
  if (appointment && !appointment.isOpen) return false;
  const personKey = appointment ? await personKeyOf(ctx, patientId, appointment.name) : ownKey;
  return personKey !== null && (await findPermission(ctx, { patientId, personKey })) !== null;
}
