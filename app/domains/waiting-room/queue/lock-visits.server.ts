import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { appointments, queueEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { LIVE_STATES } from "./entry.state.ts";

/**
 * Locks the appointments of a session, of those of its entries in a state, or of one entry, before the session itself. A change of an appointment locks the appointment first and
 * then its session, so commands that change both use the same order.
 */
export async function lockVisits(
  tx: Ctx,
  { sessionId, entryId, state }: { sessionId: string; entryId?: string; state?: "lapsed" },
): Promise<void> {
  if (!isUuid(sessionId) || (entryId !== undefined && !isUuid(entryId))) return;
  const ofSession = and(
    eq(queueEntries.sessionId, sessionId),
    isNotNull(queueEntries.appointmentId),
    entryId ? eq(queueEntries.id, entryId) : inArray(queueEntries.state, state ? [state] : [...LIVE_STATES]),
  );
  await tx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(inArray(appointments.id, tx.db.select({ id: queueEntries.appointmentId }).from(queueEntries).where(ofSession)))
    .orderBy(appointments.id)
    .for("no key update");
}
