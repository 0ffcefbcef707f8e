import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { appointments, queueEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/**
 * Locks the appointments of a session, or of one of its entries, before the session itself. A change of an appointment locks the appointment first and
 * then its session, so commands that change both use the same order.
 */
export async function lockVisits(tx: Ctx, { sessionId, entryId }: { sessionId: string; entryId?: string }): Promise<void> {
  if (!isUuid(sessionId) || (entryId !== undefined && !isUuid(entryId))) return;
  const ofSession = and(
    eq(queueEntries.sessionId, sessionId),
    isNotNull(queueEntries.appointmentId),
    entryId ? eq(queueEntries.id, entryId) : eq(queueEntries.state, "expected"),
  );
  await tx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(inArray(appointments.id, tx.db.select({ id: queueEntries.appointmentId }).from(queueEntries).where(ofSession)))
    .orderBy(appointments.id)
    .for("no key update");
}
