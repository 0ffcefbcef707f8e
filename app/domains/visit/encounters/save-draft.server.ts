import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { encounters, type VisitDraft, visitDocuments } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { emptyDraft } from "./draft.ts";
import { findLastNote } from "./last-note.server.ts";
import { getOwnVisit, type OwnVisit, openEncounter } from "./own-visit.server.ts";

/** An unsigned prescription with its version: a later saving has a higher one. */
export type SavedDraft = { id: string | null; version: number; draft: VisitDraft; savedAt: Date | null; replaces: string | null };

const ofDraft = (encounterId: string) =>
  and(eq(visitDocuments.encounterId, encounterId), eq(visitDocuments.kind, "prescription"), eq(visitDocuments.state, "draft"));

/** Returns the draft of a visit, an empty one with the known allergies and conditions where none was saved; null when it is signed. */
export async function getDraft(ctx: Ctx<Actor>, visit: OwnVisit): Promise<SavedDraft | null> {
  const [saved] = await ctx.db
    .select({
      id: visitDocuments.id,
      version: visitDocuments.version,
      draft: opened(visitDocuments.draft),
      savedAt: visitDocuments.updatedAt,
      replaces: visitDocuments.replaces,
    })
    .from(visitDocuments)
    .where(ofDraft(visit.id));
  if (saved) return { ...saved, draft: saved.draft as VisitDraft };
  const done = await ctx.db.$count(
    visitDocuments,
    and(eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.kind, "prescription"), eq(visitDocuments.state, "signed")),
  );
  if (done) return null;
  return { id: null, version: 0, draft: { ...emptyDraft(visit.language), ...(await knownOf(ctx, visit)) }, savedAt: null, replaces: null };
}

/** Allergies and long-standing conditions of the doctor's last signed visit with this patient. */
async function knownOf(ctx: Ctx<Actor>, visit: OwnVisit): Promise<Pick<VisitDraft, "allergies" | "conditions">> {
  const last = await findLastNote(ctx, visit);
  return { allergies: last?.note.allergies ?? "", conditions: last?.note.conditions ?? "" };
}

/**
 * Saves what the doctor typed, complete or not. `version`: that of the page. A page that is behind saves nothing, unless `overwrite` is set; the
 * page still has its text.
 * @throws DomainError("not-found"), "conflict" when another tab saved, or the visit is signed
 */
export function saveDraft(
  ctx: Ctx<Actor>,
  input: { visitId: string | undefined; version: number; draft: VisitDraft; overwrite?: boolean },
): Promise<{ id: string; version: number; savedAt: Date }> {
  return transact(ctx, async (tx) => {
    const visit = await openEncounter(tx, input.visitId);
    // Serializes the tabs of a visit, also for the first saving.
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    const saved = await getDraft(tx, visit);
    if (!saved) throw new DomainError("conflict", m.visit_signed_already());
    const { page, turn = 0 } = saved.draft;
    const isSamePage = saved.id !== null && page !== undefined && page !== "" && page === input.draft.page;
    // A late post of the same page: a newer one is stored already.
    if (isSamePage && (input.draft.turn ?? 0) < turn) return { id: saved.id!, version: saved.version, savedAt: saved.savedAt! };
    if (saved.version !== input.version && !isSamePage && !input.overwrite)
      throw new DomainError("conflict", m.visit_other_tab(), { detail: { version: saved.version } });
    const version = saved.version + 1;
    if (saved.id) {
      const draft = sealed(visitDocuments.draft, saved.id, input.draft);
      await tx.db
        .update(visitDocuments)
        .set({ draft, version, updatedAt: tx.now })
        .where(and(eq(visitDocuments.id, saved.id), ofDraft(visit.id)));
      return { id: saved.id, version, savedAt: tx.now };
    }
    const id = randomUUID();
    await addDraft(tx, visit, { id, draft: input.draft, version, replaces: null });
    return { id, version, savedAt: tx.now };
  });
}

/** Inserts a draft, with its event and audit row. */
export async function addDraft(
  tx: Ctx<Actor>,
  visit: OwnVisit,
  { id, draft, version, replaces }: { id: string; draft: VisitDraft; version: number; replaces: string | null },
): Promise<void> {
  await tx.db.insert(visitDocuments).values({
    id,
    encounterId: visit.id,
    kind: "prescription",
    replaces,
    draft: sealed(visitDocuments.draft, id, draft),
    version,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  const people = { patient: visit.patientId, doctor: visit.doctorId };
  await recordChange(tx, "write-visit", { subject: { visit: visit.id }, people });
  await recordChange(tx, "visit-document.write", { subject: { "visit-document": id }, people, data: { to: "draft" } });
}

/** Removes the unsigned draft of a visit. @throws DomainError("not-found"), "conflict" without a draft */
export function discardDraft(ctx: Ctx<Actor>, input: { visitId: string | undefined }): Promise<void> {
  return transact(ctx, async (tx) => {
    const visit = await getOwnVisit(tx, input.visitId);
    const [gone] = await tx.db
      .update(visitDocuments)
      .set({ state: "discarded", draft: null, endedAt: tx.now, updatedAt: tx.now })
      .where(ofDraft(visit.id))
      .returning({ id: visitDocuments.id });
    if (!gone) throw new DomainError("conflict", m.visit_no_draft());
    const people = { patient: visit.patientId, doctor: visit.doctorId };
    await recordChange(tx, "discard-visit-draft", { subject: { visit: visit.id }, people });
    await recordChange(tx, "visit-document.discard", { subject: { "visit-document": gone.id }, people, data: { to: "discarded" } });
  });
}
