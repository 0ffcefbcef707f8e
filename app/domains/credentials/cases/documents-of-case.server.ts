import { createHash } from "node:crypto";
import { and, asc, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { DOCUMENT_KINDS, doctorDocuments, doctors, files } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { CaseDocument, Overtaken } from "./case-file.ts";
import { visibleCase } from "./ownership.server.ts";
import { decisionWord } from "./words.ts";

const shown = (ctx: Ctx) => ({
  id: doctorDocuments.id,
  kind: doctorDocuments.kind,
  fileId: doctorDocuments.fileId,
  byteSize: files.byteSize,
  width: files.width,
  height: files.height,
  decision: doctorDocuments.decision,
  reason: doctorDocuments.reason,
  decidedById: doctorDocuments.decidedBy,
  decidedBy: nameOf("doctor_documents.decided_by"),
  decidedAt: doctorDocuments.decidedAt,
  hospitalDecidedBy: nameOf("doctor_documents.hospital_decided_by"),
  hospitalDecidedAt: doctorDocuments.hospitalDecidedAt,
  opened: openedBy(ctx),
  createdAt: doctorDocuments.createdAt,
  erasedAt: doctorDocuments.erasedAt,
});

/** SQL: the audit log has an opening of the file by the acting user (`openFile` writes it). */
const openedBy = (ctx: Ctx) => sql<boolean>`exists (select 1 from audit_log l where l.subject_type = 'file'
  and l.subject_id = ${doctorDocuments.fileId}::text and l.action = 'read-document' and l.actor_id = ${ctx.actor?.userId ?? null}::uuid)`;

type Decided = Pick<CaseDocument, "decision" | "reason">;
/** Returns the same version for the same decision and reason; empty for none. */
const versionOf = ({ decision, reason }: Decided) =>
  decision === "undecided"
    ? ""
    : createHash("sha256")
        .update(`${decision} ${reason ?? ""}`)
        .digest("hex")
        .slice(0, 16);

/**
 * Returns the documents of a case: the newest of the first three kinds, all certificates. Only submitted ones, except for the
 * doctor with `gathering`.
 */
export async function listCaseDocuments(ctx: Ctx, doctorId: string, options: { gathering?: boolean } = {}): Promise<CaseDocument[]> {
  const handedIn: SQL | undefined = options.gathering ? undefined : or(eq(files.status, "attached"), isNotNull(doctorDocuments.erasedAt));
  const rows = await ctx.db
    .select(shown(ctx))
    .from(doctorDocuments)
    .leftJoin(files, eq(files.id, doctorDocuments.fileId))
    .where(and(eq(doctorDocuments.doctorId, doctorId), handedIn))
    .orderBy(desc(doctorDocuments.createdAt), asc(doctorDocuments.id));
  const documents = rows.map((row) => ({ ...row, version: versionOf(row) }));
  return DOCUMENT_KINDS.flatMap((kind) => {
    const ofKind = documents.filter((row) => row.kind === kind);
    return kind === "qualificationCertificates" ? ofKind.reverse() : ofKind.slice(0, 1);
  });
}

/**
 * Returns a document and its neighbours for a user with access to its case. `openFile` returns the image and writes the audit row.
 * @throws DomainError("not-found")
 */
export async function getDocument(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db.select({ doctorId: doctorDocuments.doctorId }).from(doctorDocuments).where(eq(doctorDocuments.id, id));
  if (!row) throw new DomainError("not-found");
  const [doctor] = await ctx.db
    .select({
      id: doctors.id,
      name: doctors.fullName,
      status: doctors.registrationStatus,
      submittedAt: doctors.submittedAt,
      councilName: doctors.councilName,
      councilNumber: doctors.councilNumber,
      councilYear: doctors.councilYear,
      dateOfBirth: doctors.dateOfBirth,
      aadhaarLast4: doctors.aadhaarLast4,
      aadhaarErasedAt: doctors.aadhaarErasedAt,
      qualifications: doctors.qualifications,
    })
    .from(doctors)
    .where(visibleCase(ctx, row.doctorId));
  if (!doctor) throw new DomainError("not-found");
  const all = await listCaseDocuments(ctx, doctor.id, { gathering: ctx.actor.role === "doctor" });
  const at = all.findIndex((d) => d.id === id);
  const document = all[at];
  if (!document) throw new DomainError("not-found");
  const open = [...all.slice(at + 1), ...all.slice(0, at)].find((d) => d.decision === "undecided");
  return {
    doctor,
    document,
    place: { at: at + 1, of: all.length },
    previous: all[at - 1] ?? null,
    next: all[at + 1] ?? null,
    /** The next undecided one of the others. */
    undecided: open?.id ?? null,
  };
}

type Posted = { id: string; version: string; decision?: "matches" | "ask-again" | undefined; reason?: string | undefined };

/**
 * Stores the decision on each document of a locked case. `whole`: `posted` contains exactly the documents of the case, otherwise
 * one. `final`: the case is decided too; otherwise unchanged documents preserve the current decision.
 * @throws DomainError("conflict") when the documents have changed; with `fields` and `Overtaken` when another user has decided
 * differently since the sender read the page
 */
export async function recordDecisions(
  tx: Ctx<Actor>,
  doctorId: string,
  posted: Posted[],
  options: { whole: boolean; final: boolean },
): Promise<CaseDocument[]> {
  const documents = await listCaseDocuments(tx, doctorId);
  const byId = new Map(posted.map((p) => [p.id, p]));
  const known = posted.every((p) => documents.some((d) => d.id === p.id)) && byId.size === posted.length;
  if (!known || (options.whole && documents.length !== posted.length)) throw new DomainError("conflict", m.cases_case_changed());
  const overtaken: CaseDocument[] = [];
  const now = documents.map((document): CaseDocument => {
    const wish = byId.get(document.id);
    if (!wish) return document;
    const decision = wish.decision ?? "undecided";
    const wished: CaseDocument = { ...document, decision, reason: decision === "ask-again" ? wish.reason || null : null };
    // The actor's own decision may come from another tab, or may not have been stored when this page was read.
    const isOthers = document.version !== wish.version && document.decidedById !== tx.actor.userId;
    if (!isOthers || versionOf(wished) === document.version) return wished;
    if (!options.final && versionOf(wished) === wish.version) return document;
    overtaken.push(document);
    return document;
  });
  if (overtaken.length) {
    const fieldOf = ({ id }: CaseDocument) => (options.whole ? `documents[${posted.findIndex((p) => p.id === id)}].decision` : "decision");
    throw new DomainError("conflict", m.cases_overtaken(), {
      fields: Object.fromEntries(overtaken.map((document) => [fieldOf(document), [overtakenBy(document)]])),
      detail: { versions: Object.fromEntries(overtaken.map(({ id, version }) => [id, version])) } satisfies Overtaken,
    });
  }
  let changed = 0;
  for (const [i, { id, decision, reason }] of now.entries()) {
    if (versionOf({ decision, reason }) === documents[i]!.version) continue;
    changed++;
    const decided = decision === "undecided" ? { decidedBy: null, decidedAt: null } : { decidedBy: tx.actor.userId, decidedAt: tx.now };
    await tx.db
      .update(doctorDocuments)
      .set({ decision, reason, ...decided })
      .where(eq(doctorDocuments.id, id));
  }
  if (changed) {
    const count = (decision: string) => now.filter((d) => d.decision === decision).length;
    await recordChange(tx, "decide-documents", {
      people: { doctor: doctorId },
      details: { changed, matches: count("matches"), askAgain: count("ask-again"), undecided: count("undecided") },
    });
  }
  return now;
}

/** Returns the decision that another user made meanwhile, as text. */
function overtakenBy({ decision, reason, decidedBy }: CaseDocument): string {
  const params = { name: decidedBy || m.cases_a_colleague(), decision: decisionWord(decision) };
  return reason ? m.cases_overtaken_reason({ ...params, reason }) : m.cases_overtaken_by(params);
}
