import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { encounters, type NoteContent, type VisitDraft, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { emptyDraft } from "../encounters/draft.ts";
import { getOwnVisit } from "../encounters/own-visit.server.ts";
import { addDraft, getDraft } from "../encounters/save-draft.server.ts";
import { draftOfLine } from "../medicines/line.ts";
import type { PrescriptionContent } from "./content.ts";
import { noticeOf } from "./sign-visit.server.ts";
import { readSigned, signedRow } from "./verify.server.ts";

/** Returns a signed prescription as a draft, for a correction. A reason to sign anyway is asked again. */
function draftOf(content: PrescriptionContent, { signedAnyway: _, ...note }: NoteContent): VisitDraft {
  return {
    ...emptyDraft(content.language),
    ...note,
    lines: content.lines.map(draftOfLine),
    advice: content.advice,
    adviceWords: content.adviceWords,
    followUpDate: content.followUpOn ?? "",
    patientAge: String(content.patient.age),
    patientBirthDate: content.patient.birthDate ?? "",
    patientGender: content.patient.gender,
  };
}

/**
 * Begins the correction of a visit's signed prescription: a new draft with its content. The signed one stays valid until the draft is signed.
 * Idempotent.
 * @throws DomainError("not-found"), "conflict" without a valid prescription
 */
export function correctPrescription(ctx: Ctx<Actor>, input: { visitId: string | undefined }): Promise<void> {
  return transact(ctx, async (tx) => {
    const visit = await getOwnVisit(tx, input.visitId);
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    if ((await getDraft(tx, visit))?.id) return;
    const [row] = await tx.db
      .select({
        ...signedRow,
        content: opened(visitDocuments.content, visitDocuments.dataKey),
        note: opened(visitNotes.content, visitNotes.dataKey),
      })
      .from(visitDocuments)
      .innerJoin(visitNotes, eq(visitNotes.documentId, visitDocuments.id))
      .where(and(eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.kind, "prescription"), eq(visitDocuments.state, "signed")));
    const content = row && (await readSigned(tx, row));
    if (content?.kind !== "prescription") throw new DomainError("conflict", m.visit_not_valid_any_more());
    await addDraft(tx, visit, { id: randomUUID(), draft: draftOf(content, row!.note), version: 1, replaces: row!.id });
  });
}

/**
 * Cancels a signed prescription, certificate or order: its page asks pharmacists not to dispense it. It stays readable for doctor and patient. Returns its kind.
 * @throws DomainError("not-found"), "conflict" when it is not valid any more
 */
export function cancelDocument(
  ctx: Ctx<Actor>,
  input: { visitId: string | undefined; documentId: string | undefined },
): Promise<VisitDocumentKind> {
  return transact(ctx, async (tx) => {
    const visit = await getOwnVisit(tx, input.visitId);
    if (!isUuid(input.documentId)) throw new DomainError("not-found");
    const own = and(eq(visitDocuments.id, input.documentId), eq(visitDocuments.encounterId, visit.id));
    const [seen] = await tx.db.select({ id: visitDocuments.id }).from(visitDocuments).where(own);
    if (!seen) throw new DomainError("not-found");
    const [ended] = await tx.db
      .update(visitDocuments)
      .set({ state: "cancelled", endedAt: tx.now, updatedAt: tx.now })
      .where(and(own, eq(visitDocuments.state, "signed")))
      .returning({ kind: visitDocuments.kind });
    if (!ended) throw new DomainError("conflict", m.visit_not_valid_any_more());
    if (ended.kind === "prescription")
      await tx.db.update(encounters).set({ followUpOn: null, updatedAt: tx.now }).where(eq(encounters.id, visit.id));
    await recordChange(tx, "visit-document.cancel", {
      subject: { "visit-document": input.documentId, visit: visit.id },
      people: { patient: visit.patientId, doctor: visit.doctorId },
      data: { to: "cancelled" },
      notify: {
        patient: await noticeOf(tx, visit, ended.kind === "order" ? "order-cancelled" : "prescription-cancelled"),
      },
    });
    return ended.kind;
  });
}
