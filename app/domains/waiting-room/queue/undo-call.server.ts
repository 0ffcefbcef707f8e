import { and, eq, gte, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { canTakeBack, endedByCall } from "./ended-by-call.ts";
import { lockOwnSession } from "./lock-session.server.ts";
import { lockVisits } from "./lock-visits.server.ts";
import { canStopSms } from "./mark-messages.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { getNamedQueue } from "./queries.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

/**
 * Takes a call back: "Next patient" was pressed too early. The called patient is again where they were in the order, the patient whose visit the call ended is inside
 * again, and SMS because of the call that were not sent yet are not sent.
 * @throws DomainError("not-found" | "forbidden") and "conflict" when the patient went in or was skipped, the call is minutes ago, or the ended visit was completed meanwhile
 */
export async function undoCall(ctx: Ctx<Actor>, which: { sessionId: string; entryId: string }): Promise<{ number: number }> {
  try {
    return await takeBack(ctx, which);
  } catch (error) {
    // The earlier patient has another token by now.
    if (violatedConstraint(error)?.startsWith("queue_entries_one_")) throw new DomainError("conflict", m.queue_undo_call_late());
    throw error;
  }
}

function takeBack(ctx: Ctx<Actor>, { sessionId, entryId }: { sessionId: string; entryId: string }): Promise<{ number: number }> {
  return transact(ctx, async (outer) => {
    const before = isUuid(sessionId) ? await getNamedQueue(outer, sessionId) : null;
    const ended = before && endedByCall(before, entryId);
    // A visit that is completed at this moment either waits for this press, or is seen by it.
    if (ended) await lockVisits(outer, { sessionId, entryId: ended.id });
    const { tx, session } = await lockOwnSession(outer, sessionId);
    const queue = await getNamedQueue(tx, session.id);
    const called = queue.called.find(({ id }) => id === entryId);
    const inside = endedByCall(queue, entryId);
    const isLast = called?.callNumber === session.calls;
    const isOver = session.state === "closed" || inside?.visit === "completed";
    if (!called?.calledAt || !canTakeBack(called.calledAt, tx.now) || !isLast || isOver || inside?.id !== ended?.id)
      throw new DomainError("conflict", m.queue_undo_call_late());
    await moveEntry(tx, { session, entryId, action: "undo-call" });
    if (inside) await moveEntry(tx, { session, entryId: inside.id, action: "return-inside" });
    await tx.db
      .update(queueSessions)
      .set({ calls: sql`${queueSessions.calls} - 1`, updatedAt: tx.now })
      .where(eq(queueSessions.id, session.id));
    // Who returned meanwhile waits for two others, and not for three.
    await tx.db
      .update(queueEntries)
      .set({ returnedAtCall: session.calls - 1 })
      .where(and(eq(queueEntries.sessionId, session.id), gte(queueEntries.returnedAtCall, session.calls)));
    if (canStopSms(called.calledAt, tx.now))
      await tx.db
        .update(queueEntries)
        .set({ soonSmsAt: null })
        .where(and(eq(queueEntries.sessionId, session.id), eq(queueEntries.soonSmsAt, called.calledAt)));
    await recordChange(tx, "change-queue", {
      subject: { queue: session.id },
      people: { patient: called.patientId },
      details: { doctorId: session.doctorId, number: called.number, change: "undo-call" },
    });
    await queueChanged(tx, session);
    return { number: called.number };
  });
}
