import { and, desc, eq, isNotNull } from "drizzle-orm";
import { encounters, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentKind, VisitDocumentState } from "#app/lib/vocabulary.ts";
import type { SignedContent } from "./content.ts";
import { readSigned, signedRow } from "./verify.server.ts";

export type OwnDocument = { id: string; kind: VisitDocumentKind; state: VisitDocumentState; signedAt: Date };

/** Returns the signed documents of an appointment of the acting patient, the latest first. */
export const listDocumentsOfVisit = (ctx: Ctx<Actor>, appointmentId: string): Promise<OwnDocument[]> =>
  ctx.db
    .select({ id: visitDocuments.id, kind: visitDocuments.kind, state: visitDocuments.state, signedAt: visitDocuments.signedAt })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(and(eq(encounters.id, appointmentId), eq(encounters.patientId, ctx.actor.userId), isNotNull(visitDocuments.signedAt)))
    .orderBy(desc(visitDocuments.signedAt)) as Promise<OwnDocument[]>;

/**
 * Returns a signed document for reading and printing: to the patient of the visit or to its doctor.
 * @throws DomainError("not-found"), also when its signature does not match
 */
export async function getOwnDocument(
  ctx: Ctx<Actor>,
  input: { visitId: string | undefined; documentId: string | undefined },
): Promise<{ content: SignedContent; state: VisitDocumentState }> {
  const { visitId, documentId } = input;
  if (!isUuid(visitId) || !isUuid(documentId)) throw new DomainError("not-found");
  const mine = ctx.actor.role === "doctor" ? eq(encounters.doctorId, ctx.actor.userId) : eq(encounters.patientId, ctx.actor.userId);
  const [row] = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(and(eq(visitDocuments.id, documentId), eq(encounters.id, visitId), mine, isNotNull(visitDocuments.signedAt)));
  const content = row && (await readSigned(ctx, row));
  if (!row || !content) throw new DomainError("not-found");
  return { content, state: row.state };
}
