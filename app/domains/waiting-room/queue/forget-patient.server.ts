import { and, eq, inArray } from "drizzle-orm";
import { queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { erasePersons } from "./erase-persons.server.ts";
import { lockSession } from "./lock-session.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

/**
 * Takes the acting patient, whose account is being deleted, out of every queue, and erases name and phone there. Tokens and times stay as figures. The
 * patient who is with the doctor stays until the doctor is done.
 */
export async function forgetInQueues(tx: Ctx<Actor>): Promise<void> {
  const mine = eq(queueEntries.patientId, tx.actor.userId);
  const rows = await tx.db
    .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .where(and(mine, inArray(queueEntries.state, [...LIVE_STATES])))
    .orderBy(queueEntries.sessionId);
  for (const { id, sessionId } of rows) {
    const session = await lockSession(tx, sessionId);
    if (await moveEntry(tx, { session, entryId: id, action: "leave" })) await queueChanged(tx, session);
  }
  await erasePersons(tx, mine);
}
