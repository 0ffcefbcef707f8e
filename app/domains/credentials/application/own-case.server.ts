import { asc, eq } from "drizzle-orm";
import { DOCUMENT_KINDS, type DocumentKind, type DocumentReason, doctors, verificationEvents } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Rejection } from "#app/domains/credentials/cases/rejection.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { listOwnDocuments } from "./documents.server.ts";
import { bankStepOf, type DraftStepName, hospitalStepOf, type OwnDocument, professionalStepOf } from "./draft.ts";
import { type Draft, getDraft } from "./draft-store.server.ts";

/** Returns the first incomplete step, or the last one if all are complete. */
function nextStep(draft: Draft, documents: readonly OwnDocument[], today: DateKey): DraftStepName {
  if (!hospitalStepOf(draft.steps.hospital)) return "hospital";
  const received = new Set(documents.map((document) => document.kind));
  return professionalStepOf(draft.steps.professional, today) && received.size === 4 ? "bank" : "professional";
}

/** Returns the data of the three pages of the application. */
export async function getApplication(
  ctx: Ctx<Actor>,
): Promise<{ draft: Draft; documents: OwnDocument[]; next: DraftStepName; rejected: Rejection | null; correction: DocumentKind[] | null }> {
  const draft = await getDraft(ctx);
  const documents = await listOwnDocuments(ctx);
  const { rejected } = historyOf(await listEvents(ctx));
  const today = todayInIndia(ctx.now);
  return { draft, documents, next: nextStep(draft, documents, today), rejected, correction: correctionOf(draft, rejected, today) };
}

/** Returns the kinds of documents that a correction consists of; null if the doctor has to change other fields too. */
function correctionOf({ steps }: Draft, rejected: Rejection | null, today: DateKey): DocumentKind[] | null {
  const isComplete = hospitalStepOf(steps.hospital) && professionalStepOf(steps.professional, today) && bankStepOf(steps.bank);
  if (!rejected?.reasons.length || !isComplete) return null;
  const asked = new Set(rejected.reasons.map(({ kind }) => kind));
  return DOCUMENT_KINDS.filter((kind) => asked.has(kind));
}

type Event = { action: string; at: Date; byRole: string; note: string | null; reasons: DocumentReason[] };

const listEvents = (ctx: Ctx<Actor>): Promise<Event[]> =>
  ctx.db
    .select({
      action: verificationEvents.action,
      at: verificationEvents.at,
      byRole: verificationEvents.byRole,
      note: verificationEvents.note,
      reasons: verificationEvents.reasons,
    })
    .from(verificationEvents)
    .where(eq(verificationEvents.doctorId, ctx.actor.userId))
    .orderBy(asc(verificationEvents.at), asc(verificationEvents.id));

const SENT_BACK = ["hospital-reject", "reject", "return"];

/** Returns the times of the current submission, and the last rejection if nothing was submitted after it. */
function historyOf(events: readonly Event[]) {
  const submitted = events.findLast((event) => event.action === "submit") ?? null;
  const since = submitted ? events.slice(events.indexOf(submitted)) : [];
  const approved = since.find((event) => event.action === "hospital-approve") ?? null;
  const back = since.find((event) => SENT_BACK.includes(event.action)) ?? null;
  const rejected: Rejection | null = back && {
    at: back.at,
    by: back.byRole === "reviewer" ? "hospital" : "admin",
    note: back.note,
    reasons: back.reasons,
  };
  const suspended = events.findLast((event) => event.action === "suspend") ?? null;
  return { submittedAt: submitted?.at ?? null, hospitalApprovedAt: approved?.at ?? null, rejected, suspended };
}

export type OwnCase = {
  status: RegistrationStatus;
  submittedAt: Date | null;
  hospitalApprovedAt: Date | null;
  rejected: Rejection | null;
  /** The reason of a suspended account. */
  suspendedNote: string | null;
};

/** Returns the state of the acting doctor's application with the time of each step. @throws DomainError("not-found") */
export async function getOwnCase(ctx: Ctx<Actor>): Promise<OwnCase> {
  const [doctor] = await ctx.db
    .select({ status: doctors.registrationStatus, submittedAt: doctors.submittedAt })
    .from(doctors)
    .where(eq(doctors.id, ctx.actor.userId));
  if (!doctor) throw new DomainError("not-found", m.application_doctor_missing());
  const { submittedAt, hospitalApprovedAt, rejected, suspended } = historyOf(await listEvents(ctx));
  return {
    status: doctor.status,
    submittedAt: submittedAt ?? doctor.submittedAt,
    hospitalApprovedAt,
    rejected,
    suspendedNote: doctor.status === "suspended" ? (suspended?.note ?? null) : null,
  };
}

/**
 * Returns only the status of a doctor's application (a public endpoint of spec 000 §7).
 * @throws DomainError("not-found"), also for a draft of another doctor
 */
export async function getPublicStatus(ctx: Ctx, doctorId: string): Promise<RegistrationStatus> {
  const [doctor] = await ctx.db.select({ status: doctors.registrationStatus }).from(doctors).where(eq(doctors.id, doctorId));
  if (!doctor || (doctor.status === "draft" && ctx.actor?.userId !== doctorId))
    throw new DomainError("not-found", m.application_doctor_missing());
  return doctor.status;
}
