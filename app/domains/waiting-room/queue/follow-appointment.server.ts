import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { lockSession } from "./lock-session.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

/**
 * Takes an appointment that was cancelled, moved or completed out of its queue, in the transaction that changes it. The token is not used again. Whose
 * appointment is completed has not missed it.
 */
export async function followAppointment(tx: Ctx, appointmentId: string, became: "cancelled" | "moved" | "completed"): Promise<void> {
  const live = await findLive(tx, appointmentId);
  const missed = live || became !== "completed" ? undefined : await findMissed(tx, appointmentId);
  const row = live ?? missed;
  if (!row) return;
  const session = await lockSession(tx, row.sessionId);
  const action = missed ? "undo-miss" : became === "completed" ? "complete" : "leave";
  if (await moveEntry(tx, { session, entryId: row.id, action })) await queueChanged(tx, session);
}

const found = { id: queueEntries.id, sessionId: queueEntries.sessionId };
async function findLive(tx: Ctx, appointmentId: string) {
  const [row] = await tx.db
    .select(found)
    .from(queueEntries)
    .where(and(eq(queueEntries.appointmentId, appointmentId), inArray(queueEntries.state, [...LIVE_STATES])));
  return row;
}
/** By the session: ended tokens have no index by appointment. */
async function findMissed(tx: Ctx, appointmentId: string) {
  const [row] = await tx.db
    .select(found)
    .from(appointments)
    .innerJoin(queueSessions, and(eq(queueSessions.practiceId, appointments.practiceId), eq(queueSessions.date, appointments.date)))
    .innerJoin(queueEntries, and(eq(queueEntries.sessionId, queueSessions.id), eq(queueEntries.appointmentId, appointments.id)))
    .where(and(eq(appointments.id, appointmentId), isNotNull(appointments.noShowAt), eq(queueEntries.state, "no-show")));
  return row;
}
