import { and, eq, inArray } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, queueEntries } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { QueueEntryState, QueuePriority } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { canEntry, QUEUE_ENTRY_ACTIONS } from "./entry.state.ts";
import { IS_SIGNED } from "./is-signed.server.ts";
import { isWaiting } from "./is-waiting.ts";
import { lockOwnSession, type QueueSession } from "./lock-session.server.ts";
import { lockVisits } from "./lock-visits.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { orderQueue, turnOf } from "./order.ts";
import { queueChanged } from "./queue-changed.server.ts";
import { entryStateWord } from "./words.ts";

type Which = { sessionId: string; entryId: string };
/** What staff do with one entry. `undo-miss` is the doctor's. */
export const STAFF_ENTRY_ACTIONS = ["arrive", "enter", "finish", "skip", "return", "leave", "undo-miss", "undo-finish"] as const;
export type StaffEntryAction = (typeof STAFF_ENTRY_ACTIONS)[number];

/**
 * Changes the state of an entry. A second press of the same button changes nothing.
 * @returns the token and its state
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function changeEntry(
  ctx: Ctx<Actor>,
  input: Which & { action: StaffEntryAction },
): Promise<{ number: number; state: QueueEntryState }> {
  const { entryId, action } = input;
  try {
    return await transact(ctx, async (outer) => {
      await lockVisits(outer, input);
      const { tx, session } = await lockOwnSession(outer, input.sessionId);
      const entry = await readEntry(tx, session, entryId);
      if (!canEntry(action, entry.state)) {
        if (entry.state === QUEUE_ENTRY_ACTIONS[action].to) return entry;
        throw new DomainError("conflict", m.queue_entry_state({ number: entry.number, state: entryStateWord(entry.state) }));
      }
      if (action === "undo-miss" ? tx.actor.userId !== session.doctorId : session.state === "closed")
        throw new DomainError(action === "undo-miss" ? "forbidden" : "conflict", action === "undo-miss" ? undefined : m.queue_closed());
      if (action === "undo-finish" || action === "return") await requireOpenVisit(tx, entry);
      // A patient whose prescription is signed was seen: "left" would be wrong.
      const done = action === "leave" && entry.signed ? "complete" : action;
      await moveEntry(tx, { session, entryId, action: done });
      await auditEntry(tx, session, entry, { change: done });
      await queueChanged(tx, session);
      return { number: entry.number, state: QUEUE_ENTRY_ACTIONS[done].to };
    });
  } catch (error) {
    if (violatedConstraint(error)?.startsWith("queue_entries_one_")) throw new DomainError("conflict", m.queue_has_token());
    throw error;
  }
}

/**
 * Calls a patient: the visit under way is done, and a patient who was called before has been with the doctor. The form names the patient, so that
 * of two presses one calls and the other is refused. `now`: out of turn.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function callPatient(ctx: Ctx<Actor>, input: Which & { now?: boolean }): Promise<{ number: number }> {
  return transact(ctx, async (outer) => {
    const { tx, session } = await lockOwnSession(outer, input.sessionId);
    if (session.state !== "open")
      throw new DomainError(
        "conflict",
        session.state === "paused" ? m.queue_paused_call() : session.state === "closed" ? m.queue_closed() : m.queue_not_open(),
      );
    const rows = await readRows(tx, session);
    const entry = rows.find(({ id }) => id === input.entryId);
    if (!entry) throw new DomainError("not-found");
    if (entry.state === "called" || entry.state === "with-doctor")
      throw new DomainError("conflict", m.queue_called_already({ number: entry.number }));
    const [next] = orderQueue(rows.filter(isWaiting), turnOf(session.calls, rows));
    if (entry.state !== "arrived")
      throw new DomainError("conflict", m.queue_entry_state({ number: entry.number, state: entryStateWord(entry.state) }));
    if (!input.now && next?.id !== entry.id)
      throw new DomainError("conflict", m.queue_next_changed({ number: next?.number ?? entry.number }));
    for (const { id, state } of rows) {
      if (state === "called") await moveEntry(tx, { session, entryId: id, action: "enter" });
      if (state === "called" || state === "with-doctor") await moveEntry(tx, { session, entryId: id, action: "finish" });
    }
    await moveEntry(tx, { session, entryId: entry.id, action: "call" });
    await auditEntry(tx, session, entry, { change: "call" });
    await queueChanged(tx, session);
    return { number: entry.number };
  });
}

/** Lets a patient go first, or takes that back. @throws DomainError("not-found" | "forbidden" | "conflict") */
export function setPriority(ctx: Ctx<Actor>, input: Which & { priority: QueuePriority }): Promise<void> {
  return transact(ctx, async (outer) => {
    const { tx, session } = await lockOwnSession(outer, input.sessionId);
    if (session.state === "closed") throw new DomainError("conflict", m.queue_closed());
    const entry = await readEntry(tx, session, input.entryId);
    const [changed] = await tx.db
      .update(queueEntries)
      .set({ priority: input.priority, updatedAt: tx.now })
      .where(and(eq(queueEntries.id, entry.id), inArray(queueEntries.state, ["expected", "arrived", "skipped"])))
      .returning({ id: queueEntries.id });
    if (!changed) throw new DomainError("conflict", m.queue_entry_state({ number: entry.number, state: entryStateWord(entry.state) }));
    await auditEntry(tx, session, entry, { change: input.priority });
    await queueChanged(tx, session);
  });
}

/**
 * The appointment of a patient with a token may still wait for the doctor's answer.
 * @throws DomainError("conflict") when the entry's appointment is completed or cancelled: its patient is not expected
 */
async function requireOpenVisit(tx: Ctx, { appointmentId }: Row): Promise<void> {
  if (!appointmentId) return;
  const [visit] = await tx.db.select({ status: appointments.status }).from(appointments).where(eq(appointments.id, appointmentId));
  if (visit?.status !== "accepted" && visit?.status !== "pending")
    throw new DomainError("conflict", visit?.status === "cancelled" ? m.queue_visit_cancelled() : m.queue_visit_over());
}

const row = {
  id: queueEntries.id,
  number: queueEntries.number,
  state: queueEntries.state,
  kind: queueEntries.kind,
  priority: queueEntries.priority,
  patientId: queueEntries.patientId,
  appointmentId: queueEntries.appointmentId,
  dueAt: queueEntries.dueAt,
  arrivedAt: queueEntries.arrivedAt,
  callNumber: queueEntries.callNumber,
  returnedAtCall: queueEntries.returnedAtCall,
  signed: IS_SIGNED,
};
type Row = Pick<typeof queueEntries.$inferSelect, Exclude<keyof typeof row, "signed">> & { signed: boolean };
const readRows = (tx: Ctx, session: QueueSession): Promise<Row[]> =>
  tx.db.select(row).from(queueEntries).where(eq(queueEntries.sessionId, session.id));

async function readEntry(tx: Ctx, session: QueueSession, id: string): Promise<Row> {
  const [found] = isUuid(id)
    ? await tx.db
        .select(row)
        .from(queueEntries)
        .where(and(eq(queueEntries.id, id), eq(queueEntries.sessionId, session.id)))
    : [];
  if (!found) throw new DomainError("not-found");
  return found;
}

const auditEntry = (tx: Ctx, session: QueueSession, entry: Row, details: Record<string, unknown>) =>
  recordChange(tx, "change-queue", {
    subject: { queue: session.id },
    people: { patient: entry.patientId },
    details: { doctorId: session.doctorId, number: entry.number, ...details },
  });
