import { and, eq } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { doctors, encounters, type SignedAnyway, type VisitDraft, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { removeNoAllergies } from "#app/domains/patients/family/no-allergies.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { endTurn } from "#app/domains/waiting-room/queue/end-turn.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { type AllergyStop, MOST_REASON, seenStops } from "../allergies/allergy-stops.ts";
import { getOwnVisit, type OwnVisit } from "../encounters/own-visit.server.ts";
import { getDraft } from "../encounters/save-draft.server.ts";
import { composePrescription } from "./compose.server.ts";
import type { PrescriptionContent } from "./content.ts";
import { newCode, sealDocument } from "./seal-document.server.ts";

/**
 * Signs the draft of a visit: prescription and note cannot be changed from then on. `version`: that of the draft that the doctor reviewed. A
 * correction supersedes the document that it replaces. A medicine that shares a name with a written allergy needs `anyway`: the reason, and the
 * stops that the doctor read. The patient's turn in the queue ends, while another patient is inside or before their call only if `endsTurn`. Returns the id of the signed document.
 * @throws DomainError("not-found"), "invalid" with what is missing by field, "conflict" when the draft or an allergy has changed or it is signed
 */
export function signVisit(
  ctx: Ctx<Actor>,
  input: { visitId: string | undefined; version: number; anyway?: { because: string; seen: string }; endsTurn?: boolean },
): Promise<string> {
  return transact(ctx, async (tx) => {
    const visit = await getOwnVisit(tx, input.visitId);
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    const saved = await getDraft(tx, visit);
    if (!saved?.id) throw new DomainError("conflict", m.visit_signed_already());
    if (saved.version !== input.version) throw new DomainError("conflict", m.visit_changed_since_review());
    const { content: unsigned, fields, stops } = await composePrescription(tx, visit, saved.draft);
    if (Object.keys(fields).length) throw new DomainError("invalid", undefined, { fields });
    const signedAnyway = stops.length ? requireReason(stops, input.anyway) : undefined;
    const replaced = saved.replaces === null ? null : await supersede(tx, visit, saved.replaces);
    const content: PrescriptionContent = {
      ...unsigned,
      id: saved.id,
      code: newCode(),
      signedAt: tx.now.toISOString(),
      replaces: replaced,
      ...(signedAnyway && { signedAnyway }),
    };
    const { columns } = await sealDocument(tx, content);
    await tx.db
      .update(visitDocuments)
      .set(columns)
      .where(and(eq(visitDocuments.id, saved.id), eq(visitDocuments.state, "draft")));
    const note = noteOf(saved.draft, signedAnyway);
    const noteKey = randomToken();
    await tx.db.insert(visitNotes).values({
      documentId: saved.id,
      dataKey: sealed(visitNotes.dataKey, saved.id, noteKey),
      content: sealed(visitNotes.content, saved.id, note, [noteKey]),
      signedAt: tx.now,
    });
    if (unsigned.allergies) await removeNoAllergies(tx, { patientId: visit.patientId, name: visit.patient.name });
    await tx.db.update(encounters).set({ followUpOn: content.followUpOn, updatedAt: tx.now }).where(eq(encounters.id, visit.id));
    const people = { patient: visit.patientId, doctor: visit.doctorId };
    await recordChange(tx, "sign-prescription", {
      subject: { visit: visit.id },
      people,
      // The reason itself is health text: it is in the note.
      details: signedAnyway ? { despiteAllergy: signedAnyway.of.length } : {},
      notify: { patient: await noticeOf(tx, visit, replaced ? "prescription-replaced" : "prescription-signed") },
    });
    await recordChange(tx, "visit-document.sign", { subject: { "visit-document": saved.id }, people, data: { to: "signed" } });
    await endTurn(tx, visit, { certain: input.endsTurn ?? false });
    if (visit.queueEntryId !== null) await enqueue(tx, "prescription-sms", { documentId: saved.id });
    return saved.id;
  });
}

function noteOf(draft: VisitDraft, signedAnyway: SignedAnyway | undefined) {
  const { complaint, findings, diagnosis, diagnosisCode, allergies, noAllergies = "", conditions } = draft;
  return { complaint, findings, diagnosis, diagnosisCode, allergies, noAllergies, conditions, ...(signedAnyway && { signedAnyway }) };
}

/** Returns the reason for medicines that share a name with an allergy. @throws DomainError("invalid") without one, "conflict" for other stops */
function requireReason(stops: readonly AllergyStop[], anyway: { because: string; seen: string } | undefined): SignedAnyway {
  const because = anyway?.because.trim() ?? "";
  if (anyway && anyway.seen !== seenStops(stops)) throw new DomainError("conflict", m.visit_stop_changed());
  const problem = !/\p{L}/u.test(because)
    ? m.visit_stop_reason_missing()
    : because.length > MOST_REASON && m.visit_problem_long({ most: MOST_REASON });
  if (problem) throw new DomainError("invalid", undefined, { fields: { because: [problem] } });
  return { because, of: stops.map(({ allergy, medicine }) => ({ allergy, medicine })) };
}

/** Ends the validity of the corrected document. Returns its code. @throws DomainError("conflict") when it is not valid any more */
export async function supersede(tx: Ctx<Actor>, visit: OwnVisit, id: string): Promise<string> {
  const [old] = await tx.db
    .update(visitDocuments)
    .set({ state: "superseded", endedAt: tx.now, updatedAt: tx.now })
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.state, "signed")))
    .returning({ code: visitDocuments.code });
  if (!old) throw new DomainError("conflict", m.visit_not_valid_any_more());
  const of = { subject: { "visit-document": id }, people: { doctor: visit.doctorId } };
  await recordChange(tx, "visit-document.supersede", { ...of, data: { to: "superseded" } });
  return old.code!;
}

/** Returns the notification to the account of the patient; null without an account. The text names no medicine and no diagnosis. */
export async function noticeOf<Kind extends string>(tx: Ctx, visit: OwnVisit, kind: Kind) {
  if (visit.patientId === null || visit.appointmentId === null) return null;
  const [doctor] = await tx.db.select(doctorNames).from(doctors).where(eq(doctors.id, visit.doctorId));
  const params = { ...doctorParams(doctor), patient: visit.patient.name, date: visit.date, appointment: visit.appointmentId };
  return { kind, params, target: { page: "patient-appointment", id: visit.appointmentId } as const };
}
