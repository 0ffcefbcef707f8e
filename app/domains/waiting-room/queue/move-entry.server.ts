import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { changedAt } from "#app/domains/visit-time.server.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { QUEUE_ENTRY_ACTIONS, type QueueEntryAction } from "./entry.state.ts";

type Change = { session: { id: string; doctorId: string }; entryId: string; action: QueueEntryAction };
export type MovedEntry = { id: string; number: number; appointmentId: string | null };

/**
 * Changes the state of an entry, in the transaction of `tx`, with its event. The caller has locked the session and checked access, and runs
 * `queueChanged` afterwards. Returns null when the state table refuses the change.
 */
export async function moveEntry(tx: Ctx, { session, entryId, action }: Change): Promise<MovedEntry | null> {
  const rule = QUEUE_ENTRY_ACTIONS[action];
  const callNumber = action === "call" ? await countCall(tx, session.id) : null;
  const [row] = await tx.db
    .update(queueEntries)
    .set({ state: rule.to, ...stampOf(tx, action, callNumber), updatedAt: tx.now })
    .where(
      and(
        eq(queueEntries.id, entryId),
        eq(queueEntries.sessionId, session.id),
        inArray(queueEntries.state, [...rule.from] as QueueEntryState[]),
      ),
    )
    .returning({ id: queueEntries.id, number: queueEntries.number, appointmentId: queueEntries.appointmentId });
  if (!row) return null;
  // A missed appointment stays accepted. Whoever comes after all has not missed it.
  if (row.appointmentId && (action === "miss" || action === "undo-miss" || action === "return"))
    await tx.db
      .update(appointments)
      .set({ noShowAt: action === "miss" ? tx.now : null, updatedAt: changedAt(tx.now) })
      .where(
        and(
          eq(appointments.id, row.appointmentId),
          action === "miss" ? and(eq(appointments.status, "accepted"), isNull(appointments.noShowAt)) : undefined,
        ),
      );
  if (action === "arrive") await enqueue(tx, "queue-estimate", { entryId: row.id });
  const of = { subject: { "queue-entry": row.id }, people: { doctor: session.doctorId } };
  await recordChange(tx, `queue-entry.${action}`, { ...of, data: { to: rule.to } });
  return row;
}

async function countCall(tx: Ctx, sessionId: string): Promise<number> {
  const [row] = await tx.db
    .update(queueSessions)
    .set({ calls: sql`${queueSessions.calls} + 1`, updatedAt: tx.now })
    .where(eq(queueSessions.id, sessionId))
    .returning({ calls: queueSessions.calls });
  return row!.calls;
}

function stampOf(tx: Ctx, action: QueueEntryAction, callNumber: number | null): Partial<typeof queueEntries.$inferInsert> {
  const { now } = tx;
  switch (action) {
    case "arrive":
      return { arrivedAt: now };
    case "call":
      return { calledAt: now, callNumber };
    case "enter":
      return { withDoctorAt: now };
    case "finish":
    case "undo-miss":
    case "complete":
      return { doneAt: now };
    case "skip":
      return { skippedAt: now };
    case "return":
      return { arrivedAt: now, leftAt: null, noShowAt: null, ...RETURNED };
    case "undo-call":
      // As before the call, also for a skipped patient who had returned.
      return { calledAt: null, callNumber: null };
    case "return-inside":
      return { doneAt: null };
    case "undo-finish":
      return { withDoctorAt: null, doneAt: null };
    case "unseen":
    case "lapse":
    case "undo-lapse":
      // The session has the time.
      return {};
    case "leave":
      return { leftAt: now };
    case "miss":
      return { noShowAt: now };
  }
}
/** Only a patient who had been called waits for two others. */
const RETURNED = {
  returnedAtCall: sql`case when ${queueEntries.callNumber} is not null then (select s.calls from queue_sessions s where s.id = ${queueEntries.sessionId}) end`,
} as unknown as Partial<typeof queueEntries.$inferInsert>;
