import { and, eq, inArray } from "drizzle-orm";
import { encounters, visitDocuments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";

/** Empties the unsigned drafts about a patient whose account is deleted. Signed documents stay: the law requires it of the doctor. */
export async function discardDraftsOf(tx: Ctx, patientId: string): Promise<void> {
  const visits = tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.patientId, patientId));
  const gone = await tx.db
    .update(visitDocuments)
    .set({ state: "discarded", draft: null, endedAt: tx.now, updatedAt: tx.now })
    .where(and(inArray(visitDocuments.encounterId, visits), eq(visitDocuments.state, "draft")))
    .returning({ id: visitDocuments.id });
  for (const { id } of gone) await recordEvent(tx, { kind: "visit-document.discard", subjectId: id, data: { to: "discarded" } });
}
