import { and, eq, sql } from "drizzle-orm";
import { doctorDocuments } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import type { DiscardedFile } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { CaseDecision } from "./case-decision.schema.ts";
import type { CaseDocument } from "./case-file.ts";
import { recordDecisions } from "./documents-of-case.server.ts";
import { moveCase } from "./move-case.server.ts";
import { type LockedCase, lockCase, refuseOwnCase } from "./ownership.server.ts";
import { canVerify, VERIFICATION_ACTIONS, type VerificationAction } from "./verification.state.ts";
import { statusWord } from "./words.ts";

/**
 * Decides for the hospital as a reviewer: approves when this reviewer has opened every document and each matches, rejects with
 * reasons, or only stores the decisions. Idempotent.
 * @returns the doctor's name
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid")
 */
export function decideForHospital(ctx: Ctx<Actor>, input: CaseDecision & { doctorId: string }): Promise<string> {
  return transact(ctx, async (tx) => {
    const found = await lockCase(tx, input.doctorId);
    await decide(tx, found, input, { approve: "hospital-approve", "send-back": "hospital-reject" });
    if (input.intent === "approve") await storeHospitalDecisions(tx, found.id);
    return found.name;
  });
}

/** Copies the hospital's decisions, and resets the decisions for the administrator. */
async function storeHospitalDecisions(tx: Ctx<Actor>, doctorId: string): Promise<void> {
  await tx.db
    .update(doctorDocuments)
    .set({
      hospitalDecidedBy: sql`${doctorDocuments.decidedBy}`,
      hospitalDecidedAt: sql`${doctorDocuments.decidedAt}`,
      decision: "undecided",
      decidedBy: null,
      decidedAt: null,
    })
    .where(and(eq(doctorDocuments.doctorId, doctorId), eq(doctorDocuments.decision, "matches")));
}

/** Decides on a locked case: the steps that both roles share. @returns files to pass to `removeDiscarded` after the commit */
export async function decide(
  tx: Ctx<Actor>,
  found: LockedCase,
  input: CaseDecision,
  actions: { approve: VerificationAction; "send-back": VerificationAction },
): Promise<DiscardedFile[]> {
  refuseMoved(found, actions.approve, tx);
  if (input.case !== undefined && input.case !== found.id) throw new DomainError("conflict", m.cases_other_case());
  if (input.seen !== seenOf(found)) throw new DomainError("conflict", m.cases_case_changed());
  await refuseOwnCase(tx, found);
  const documents = await recordDecisions(tx, found.id, input.documents, { whole: true, final: input.intent !== "save" });
  if (input.intent === "save") return [];
  if (input.intent === "approve") {
    if (documents.length === 0) throw new DomainError("invalid", m.cases_no_documents());
    refuseUnopened(documents, input);
  }
  const reasons = documents.flatMap((d) => (d.decision === "ask-again" && d.reason ? [{ kind: d.kind, reason: d.reason }] : []));
  return moveCase(tx, {
    doctorId: found.id,
    action: actions[input.intent],
    note: input.note,
    reasons: input.intent === "approve" ? [] : reasons,
  });
}

/** @throws DomainError("invalid") at each document that the acting user has not opened */
function refuseUnopened(documents: CaseDocument[], input: CaseDecision): void {
  const unopened = documents.filter(({ opened }) => !opened);
  const fields = Object.fromEntries(
    unopened.map(({ id }) => [`documents[${input.documents.findIndex((d) => d.id === id)}].decision`, [m.cases_unopened()]]),
  );
  if (unopened.length) throw new DomainError("invalid", m.cases_open_all(), { fields });
}

/** Throws if another user decided first. @throws DomainError("forbidden" | "conflict") */
export function refuseMoved(found: LockedCase, action: VerificationAction, { actor }: Ctx<Actor>): void {
  if (!(VERIFICATION_ACTIONS[action].by as readonly string[]).includes(actor.role)) throw new DomainError("forbidden");
  if (canVerify(action, found.status, actor.role)) return;
  throw new DomainError("conflict", m.application_wrong_state({ status: statusWord(found.status) }), { detail: { status: found.status } });
}

/** Returns the version of the application that a user has seen. A new submission changes it. */
export const seenOf = (found: { submittedAt: Date | null }) => found.submittedAt?.toISOString() ?? "";
