import { and, eq } from "drizzle-orm";
import { encounters, visitDocuments } from "#app/db/schema/index.ts";
import { emptiedValues } from "#app/db/schema/policy.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChanges } from "#app/domains/platform/changes/record-change.server.ts";

/** Empties the unsigned drafts about a patient whose account is deleted. Signed documents stay: the law requires it of the doctor. */
export async function discardDraftsOf(tx: Ctx, patientId: string): Promise<void> {
  const gone = await tx.db
    .update(visitDocuments)
    .set({ state: "discarded", ...emptiedValues(visitDocuments), endedAt: tx.now, updatedAt: tx.now })
    .from(encounters)
    .where(and(eq(encounters.id, visitDocuments.encounterId), eq(encounters.patientId, patientId), eq(visitDocuments.state, "draft")))
    .returning({ id: visitDocuments.id, doctorId: encounters.doctorId });
  await recordChanges(
    tx,
    "visit-document.discard",
    gone.map(({ id, doctorId }) => ({ subject: { "visit-document": id }, people: { doctor: doctorId }, data: { to: "discarded" } })),
  );
}
