import { and, eq, inArray } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { lockSession } from "./lock-session.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

/** Takes an appointment that was cancelled, moved or completed out of its queue, in the transaction that changes it. The token is not used again. */
export async function followAppointment(tx: Ctx, appointmentId: string, became: "cancelled" | "moved" | "completed"): Promise<void> {
  const [row] = await tx.db
    .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
    .from(queueEntries)
    .where(and(eq(queueEntries.appointmentId, appointmentId), inArray(queueEntries.state, [...LIVE_STATES])));
  if (!row) return;
  const session = await lockSession(tx, row.sessionId);
  if (await moveEntry(tx, { session, entryId: row.id, action: became === "completed" ? "complete" : "leave" }))
    await queueChanged(tx, session);
}
