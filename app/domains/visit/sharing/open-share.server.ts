import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import {
  doctors,
  encounters,
  files,
  medicalRecords,
  ownRecords,
  patients,
  recordShares,
  users,
  visitDocuments,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { RecordType, VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { initialsOf, type SignedContent } from "../documents/content.ts";
import { readSigned, signedRow } from "../documents/verify.server.ts";
import { isOpenShare } from "./shares.server.ts";

const SECRET = /^[\w-]{22}$/;

/** What a link opens. */
export type OpenedShare =
  | { kind: "signed"; content: SignedContent; state: VisitDocumentState }
  | { kind: "file"; bytes: Uint8Array; mediaType: string };

/**
 * Returns the link of a secret with who shared what, without opening it: the patient by initials, because previews of messages read it; the doctor
 * of a link by SMS. Counts unknown secrets of an address.
 * @throws DomainError("not-found" | "too-many"), "conflict" for a link that has ended
 */
export async function findShare(ctx: Ctx, secret: string | undefined) {
  const hash = SECRET.test(secret ?? "") ? hashToken(secret!) : null;
  const [row] =
    hash === null
      ? []
      : await ctx.db
          .select({
            id: recordShares.id,
            patientId: recordShares.patientId,
            documentId: recordShares.documentId,
            ownRecordId: recordShares.ownRecordId,
            medicalRecordId: recordShares.medicalRecordId,
            showsName: recordShares.showsName,
            expiresAt: recordShares.expiresAt,
            patientName: patients.name,
            byDoctor: recordShares.byDoctor,
            doctorName: inLanguage(doctors.fullName, doctors.translations, "name", language()),
            documentKind: visitDocuments.kind,
            recordType: sql<RecordType | null>`coalesce(${ownRecords.recordType}, ${medicalRecords.recordType})`,
            isOpen: sql<boolean>`${isOpenShare(ctx)}`,
          })
          .from(recordShares)
          .leftJoin(users, eq(users.id, recordShares.patientId))
          .leftJoin(patients, eq(patients.id, recordShares.patientId))
          .leftJoin(visitDocuments, eq(visitDocuments.id, recordShares.documentId))
          .leftJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
          .leftJoin(doctors, eq(doctors.id, encounters.doctorId))
          .leftJoin(ownRecords, eq(ownRecords.id, recordShares.ownRecordId))
          .leftJoin(medicalRecords, eq(medicalRecords.id, recordShares.medicalRecordId))
          .where(and(eq(recordShares.secretHash, hash), or(sql`${recordShares.patientId} is null`, eq(users.status, "active"))));
  if (!row) {
    await spendLimits(ctx, [{ limit: "share-wrong", address: ctx.ip }]);
    throw new DomainError("not-found");
  }
  if (!row.isOpen) throw new DomainError("conflict", m.shares_over());
  const { patientName, doctorName, byDoctor, ...share } = row;
  return { ...share, sharedBy: byDoctor ? doctorName : patientName && initialsOf(patientName) };
}
type Share = Awaited<ReturnType<typeof findShare>>;

/**
 * Opens the medical record of a shared link, counts the opening and writes it to the patient's log.
 * @throws as findShare
 */
export async function openShare(ctx: Ctx, secret: string | undefined): Promise<OpenedShare> {
  const share = await findShare(ctx, secret);
  const record = share.documentId === null ? await readFile(ctx, share) : await readDocument(ctx, share);
  await transact(ctx, async (tx) => {
    // Two openings at once: the last one that is allowed wins.
    const [counted] = await tx.db
      .update(recordShares)
      .set({ opened: sql`${recordShares.opened} + 1`, lastOpenedAt: tx.now })
      .where(and(eq(recordShares.id, share.id), isOpenShare(tx)))
      .returning({ id: recordShares.id });
    if (!counted) throw new DomainError("conflict", m.shares_over());
    // A browser with a login of its own opens it as anyone else.
    const visitor = { ...tx, actor: null };
    await recordRead(visitor, { action: "read-by-link", subjectType: "record-share", subjectId: share.id, personId: share.patientId });
  });
  return record;
}

async function readDocument(ctx: Ctx, { documentId, showsName }: Share): Promise<OpenedShare> {
  const [row] = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(and(eq(visitDocuments.id, documentId!), isNotNull(visitDocuments.signedAt)));
  const content = row && (await readSigned(ctx, row));
  if (!row || !content) throw new DomainError("not-found");
  const { patient } = content;
  const name = showsName || content.kind !== "prescription" ? patient.name : initialsOf(patient.name);
  return { kind: "signed", content: { ...content, patient: { ...patient, name } }, state: row.state };
}

async function readFile(ctx: Ctx, { ownRecordId, medicalRecordId }: Share): Promise<OpenedShare> {
  const own = { ...storedFile, mediaType: files.mediaType };
  const [file] =
    ownRecordId === null
      ? await ctx.db
          .select(own)
          .from(files)
          .innerJoin(medicalRecords, eq(medicalRecords.fileId, files.id))
          .where(and(eq(medicalRecords.id, medicalRecordId!), eq(files.status, "attached")))
      : await ctx.db
          .select(own)
          .from(files)
          .innerJoin(ownRecords, eq(ownRecords.fileId, files.id))
          .where(and(eq(ownRecords.id, ownRecordId), eq(files.status, "attached")));
  const bytes = file && (await readStored(ctx, file));
  if (!file || !bytes) throw new DomainError("not-found");
  return { kind: "file", bytes, mediaType: file.mediaType };
}
