import { and, eq } from "drizzle-orm";
import { encounters, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import { notify } from "#app/domains/platform/notifications/notify.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { getOwnVisit, type OwnVisit } from "../encounters/own-visit.server.ts";
import { getDraft } from "../encounters/save-draft.server.ts";
import { composePrescription } from "./compose.server.ts";
import type { PrescriptionContent } from "./content.ts";
import { newCode, sealDocument } from "./seal-document.server.ts";

/**
 * Signs the draft of a visit: prescription and note cannot be changed from then on. `version`: that of the draft that the doctor reviewed. A
 * correction supersedes the document that it replaces. Returns the id of the signed document.
 * @throws DomainError("not-found"), "invalid" with what is missing by field, "conflict" when the draft has changed or is signed already
 */
export function signVisit(ctx: Ctx<Actor>, input: { visitId: string | undefined; version: number }): Promise<string> {
  return transact(ctx, async (tx) => {
    const visit = await getOwnVisit(tx, input.visitId);
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    const saved = await getDraft(tx, visit);
    if (!saved?.id) throw new DomainError("conflict", m.visit_signed_already());
    if (saved.version !== input.version) throw new DomainError("conflict", m.visit_changed_since_review());
    const { content: unsigned, fields } = await composePrescription(tx, visit, saved.draft);
    if (Object.keys(fields).length) throw new DomainError("invalid", undefined, { fields });
    const replaced = saved.replaces === null ? null : await supersede(tx, visit, saved.replaces);
    const content: PrescriptionContent = {
      ...unsigned,
      id: saved.id,
      code: newCode(),
      signedAt: tx.now.toISOString(),
      replaces: replaced,
    };
    const { columns } = await sealDocument(tx, content);
    await tx.db
      .update(visitDocuments)
      .set(columns)
      .where(and(eq(visitDocuments.id, saved.id), eq(visitDocuments.state, "draft")));
    const { complaint, findings, diagnosis, diagnosisCode, allergies, conditions } = saved.draft;
    const noteKey = randomToken();
    await tx.db.insert(visitNotes).values({
      documentId: saved.id,
      dataKey: sealed(visitNotes.dataKey, saved.id, noteKey),
      content: sealed(visitNotes.content, saved.id, { complaint, findings, diagnosis, diagnosisCode, allergies, conditions }, [noteKey]),
      signedAt: tx.now,
    });
    await tx.db.update(encounters).set({ followUpOn: content.followUpOn, updatedAt: tx.now }).where(eq(encounters.id, visit.id));
    await recordAudit(tx, { action: "sign-prescription", subjectType: "visit", subjectId: visit.id, personId: visit.patientId });
    await recordEvent(tx, { kind: "visit-document.sign", subjectId: saved.id, doctorId: visit.doctorId, data: { to: "signed" } });
    await notifyPatient(tx, visit, replaced ? "prescription-replaced" : "prescription-signed", content.doctor.name);
    if (visit.queueEntryId !== null) await enqueue(tx, "prescription-sms", { documentId: saved.id });
    return saved.id;
  });
}

/** Ends the validity of the corrected document. Returns its code. @throws DomainError("conflict") when it is not valid any more */
export async function supersede(tx: Ctx<Actor>, visit: OwnVisit, id: string): Promise<string> {
  const [old] = await tx.db
    .update(visitDocuments)
    .set({ state: "superseded", endedAt: tx.now, updatedAt: tx.now })
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.state, "signed")))
    .returning({ code: visitDocuments.code });
  if (!old) throw new DomainError("conflict", m.visit_not_valid_any_more());
  await recordEvent(tx, { kind: "visit-document.supersede", subjectId: id, doctorId: visit.doctorId, data: { to: "superseded" } });
  return old.code!;
}

/** Notifies the account of the patient. The text names no medicine and no diagnosis. */
export async function notifyPatient(
  tx: Ctx,
  visit: OwnVisit,
  kind:
    | "prescription-signed"
    | "prescription-replaced"
    | "prescription-cancelled"
    | "certificate-signed"
    | "order-signed"
    | "order-replaced"
    | "order-cancelled",
  doctor: string,
): Promise<void> {
  if (visit.patientId === null || visit.appointmentId === null) return;
  const params = { doctor, patient: visit.patient.name, date: visit.date, appointment: visit.appointmentId };
  await notify(tx, visit.patientId, kind, params, { page: "patient-appointment", id: visit.appointmentId });
}
