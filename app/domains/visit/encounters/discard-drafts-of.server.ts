import { and, eq } from "drizzle-orm";
import { encounters, visitDocuments } from "#app/db/schema/index.ts";
import { emptiedValues } from "#app/db/schema/policy.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";

/** Empties the unsigned drafts about a patient whose account is deleted. Signed documents stay: the law requires it of the doctor. */
export async function discardDraftsOf(tx: Ctx, patientId: string): Promise<void> {
  const gone = await tx.db
    .update(visitDocuments)
    .set({ state: "discarded", ...emptiedValues(visitDocuments), endedAt: tx.now, updatedAt: tx.now })
    .from(encounters)
    .where(and(eq(encounters.id, visitDocuments.encounterId), eq(encounters.patientId, patientId), eq(visitDocuments.state, "draft")))
    .returning({ id: visitDocuments.id, doctorId: encounters.doctorId });
  for (const { id, doctorId } of gone)
    await recordEvent(tx, { kind: "visit-document.discard", subjectId: id, doctorId, data: { to: "discarded" } });
}
