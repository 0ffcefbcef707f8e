import { createHash } from "node:crypto";
import { and, count, eq, inArray, max, ne } from "drizzle-orm";
import { type DocumentKind, doctorDocuments, doctors, files } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { listCaseDocuments } from "#app/domains/credentials/cases/documents-of-case.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { MAX_CERTIFICATES } from "#app/domains/platform/files/upload-limits.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import type { OwnDocument } from "./draft.ts";
import { lockDraft } from "./draft-store.server.ts";

/** Returns the acting doctor's documents: those of the case and those of the draft. Omits erased scans. */
export async function listOwnDocuments(ctx: Ctx<Actor>): Promise<OwnDocument[]> {
  const documents = await listCaseDocuments(ctx, ctx.actor.userId, { gathering: true });
  return documents.flatMap(({ id, kind, fileId, byteSize, width, height, decision, reason }) =>
    fileId === null || byteSize === null
      ? []
      : [{ ...{ id, kind, fileId, byteSize, width, height }, askedAgain: decision === "ask-again" ? (reason ?? "") : null }],
  );
}

/** Returns the first valid document of a kind. A document that was requested again is not valid until another is sent. */
export const answerOf = (documents: readonly OwnDocument[], kind: DocumentKind): OwnDocument | undefined =>
  documents.find((document) => document.kind === kind && document.askedAgain === null);

/** Hashes the upload, not the stored image, under the last key in use, which is used longest. */
const fingerprintOf = (bytes: Uint8Array) =>
  hmac(createHash("sha256").update(bytes).digest("hex"), env().encryptionKeys.at(-1) ?? "", "document");

/** A stored document image that belongs to no case yet. */
export type StoredDocument = { kind: DocumentKind; fileId: string; fingerprint: string };

/**
 * Adds a document image to the acting doctor's draft. Replaces the one before for the first three kinds. Stores the same image
 * only once.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "invalid" | "conflict" | "unavailable")
 */
export async function addDocument(ctx: Ctx<Actor>, input: { kind: DocumentKind; bytes: Uint8Array }): Promise<void> {
  // Checked before the image is processed, and again with a lock when it is attached: nothing is stored for a submitted case.
  if (!(await transact(ctx, (tx) => mayAdd(tx, { kind: input.kind, fingerprint: fingerprintOf(input.bytes) })))) return;
  await attachDocument(ctx, await storeDocument(ctx, input));
}

/** Cleans and stores a document image. @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable") */
export async function storeDocument(ctx: Ctx<Actor>, { kind, bytes }: { kind: DocumentKind; bytes: Uint8Array }): Promise<StoredDocument> {
  // Named by its kind: users may name an image after the number on it.
  const { id: fileId } = await storeImage(ctx, { purpose: "doctor-document", name: `${kind}.jpg`, bytes });
  return { kind, fileId, fingerprint: fingerprintOf(bytes) };
}

async function mayAdd(tx: Ctx<Actor>, { kind, fingerprint }: Pick<StoredDocument, "kind" | "fingerprint">): Promise<boolean> {
  await lockDraft(tx);
  const sameKind = and(eq(doctorDocuments.doctorId, tx.actor.userId), eq(doctorDocuments.kind, kind));
  const [same] = await tx.db
    .select({ id: doctorDocuments.id })
    .from(doctorDocuments)
    .where(and(sameKind, eq(doctorDocuments.fingerprint, fingerprint)));
  if (same) return false;
  if (kind !== "qualificationCertificates") return true;
  const [row] = await tx.db.select({ n: count() }).from(doctorDocuments).where(sameKind);
  if ((row?.n ?? 0) >= MAX_CERTIFICATES)
    throw new DomainError("invalid", m.application_too_many_certificates({ count: String(MAX_CERTIFICATES) }));
  return true;
}

/** Adds a stored image to the acting doctor's draft. @throws DomainError("invalid" too many certificates | "conflict") */
export async function attachDocument(ctx: Ctx<Actor>, { kind, fileId, fingerprint }: StoredDocument): Promise<void> {
  const doctorId = ctx.actor.userId;
  await transact(ctx, async (tx) => {
    if (!(await mayAdd(tx, { kind, fingerprint }))) return;
    // Several documents of a request have the same instant: this preserves their order.
    const [last] = await tx.db
      .select({ at: max(doctorDocuments.createdAt) })
      .from(doctorDocuments)
      .where(eq(doctorDocuments.doctorId, doctorId));
    const createdAt = new Date(Math.max(tx.now.getTime(), (last?.at?.getTime() ?? 0) + 1));
    const [row] = await tx.db
      .insert(doctorDocuments)
      .values({ doctorId, kind, fileId, fingerprint, createdAt })
      .returning({ id: doctorDocuments.id });
    if (!row) return;
    if (kind !== "qualificationCertificates") {
      const before = await tx.db
        .delete(doctorDocuments)
        .where(and(eq(doctorDocuments.doctorId, doctorId), eq(doctorDocuments.kind, kind), ne(doctorDocuments.id, row.id)))
        .returning({ fileId: doctorDocuments.fileId });
      await letGo(
        tx,
        before.flatMap((b) => b.fileId ?? []),
      );
    }
    await recordChange(tx, "add-document", { people: { doctor: doctorId }, details: { kind } });
  });
}

/** Removes a document from the acting doctor's draft. Idempotent. @throws DomainError("conflict") */
export async function removeDocument(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (!isUuid(id)) return;
  const doctorId = ctx.actor.userId;
  await transact(ctx, async (tx) => {
    await lockDraft(tx);
    const [gone] = await tx.db
      .delete(doctorDocuments)
      .where(and(eq(doctorDocuments.id, id), eq(doctorDocuments.doctorId, doctorId)))
      .returning({ kind: doctorDocuments.kind, fileId: doctorDocuments.fileId });
    if (!gone) return;
    if (gone.fileId) await letGo(tx, [gone.fileId]);
    await recordChange(tx, "remove-document", { people: { doctor: doctorId }, details: { kind: gone.kind } });
  });
}

/** Marks files without a document as pending, so that the sweep deletes them. */
async function letGo(tx: Ctx<Actor>, fileIds: string[]): Promise<void> {
  if (!fileIds.length) return;
  await tx.db
    .update(doctors)
    .set({ photoFileId: null })
    .where(and(eq(doctors.id, tx.actor.userId), inArray(doctors.photoFileId, fileIds)));
  await tx.db
    .update(files)
    .set({ status: "pending" })
    .where(and(inArray(files.id, fileIds), eq(files.ownerId, tx.actor.userId)));
}
