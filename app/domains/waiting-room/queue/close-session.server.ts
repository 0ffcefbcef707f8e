import { and, eq, inArray } from "drizzle-orm";
import { appointments, queueEntries } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { setState } from "./change-session.server.ts";
import { endOfEntry, reachOf } from "./end-of-entry.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { IS_SIGNED } from "./is-signed.server.ts";
import { lockStoredSession, type QueueSession, requireQueue } from "./lock-session.server.ts";
import { lockVisits } from "./lock-visits.server.ts";
import { moveEntry } from "./move-entry.server.ts";

/** `unseen`: the tokens that the closing member was shown as not seen, so that a patient who came meanwhile is not overlooked. */
export type Closing = { sessionId: string; sms: boolean; unseen?: readonly number[] | undefined };
/** `visits`: the open appointments of patients who were not seen. */
export type Closed = { visits: string[]; sms: number };

/**
 * Closes a session with everyone who is still in it, in the transaction of `outer`, whose caller has locked the waitlist of the doctor. Returns null when it
 * was closed already. The caller cancels the appointments of patients who were not seen.
 * @throws DomainError("not-found" | "forbidden") and "conflict" when other patients than those shown would not be seen
 */
export async function closeSession<A extends Actor>(
  outer: Ctx<A>,
  { sessionId, sms, unseen }: Closing,
): Promise<(Closed & { tx: Ctx<A> }) | null> {
  await lockVisits(outer, { sessionId });
  const session = await lockStoredSession(outer, sessionId);
  const tx = await requireQueue(outer, session.practiceId);
  if (session.state === "closed") return null;
  const closed = await closeLocked(tx, session, { by: "staff", sms, unseen });
  return { tx, ...closed };
}

/** Closes a locked session, for closeSession and the sweep. */
export async function closeLocked(
  tx: Ctx,
  session: QueueSession,
  how: { by: "staff"; sms: boolean; unseen: readonly number[] | undefined } | { by: "system" },
): Promise<Closed> {
  const rows = await tx.db
    .select({
      id: queueEntries.id,
      number: queueEntries.number,
      state: queueEntries.state,
      dueAt: queueEntries.dueAt,
      phone: opened(queueEntries.phone),
      smsStopped: queueEntries.smsStopped,
      appointmentId: queueEntries.appointmentId,
      visit: appointments.status,
      signed: IS_SIGNED,
    })
    .from(queueEntries)
    .leftJoin(appointments, eq(appointments.id, queueEntries.appointmentId))
    .where(and(eq(queueEntries.sessionId, session.id), inArray(queueEntries.state, [...LIVE_STATES])))
    .orderBy(queueEntries.number);
  const ends = rows.map((row) => ({ ...row, action: endOfEntry(row, session, tx.now, how.by) }));
  const left = ends.filter(({ action }) => action === "unseen");
  if (how.by === "staff" && how.unseen && how.unseen.join() !== left.map(({ number }) => number).join())
    throw new DomainError("conflict", m.queue_close_changed());
  for (const { id, state, visit, action } of ends) {
    // As the next call would: who was called and not skipped has been in.
    if (state === "called" && visit !== "completed") await moveEntry(tx, { session, entryId: id, action: "enter" });
    await moveEntry(tx, { session, entryId: id, action });
  }
  const reached = how.by === "staff" && how.sms ? left.filter((row) => reachOf(row) === "sms") : [];
  for (const { id } of reached) await enqueue(tx, "queue-sms", { entryId: id, kind: "closed" });
  await setState(tx, session, "close", { closedAt: tx.now, pausedAt: null });
  const isOpen = ({ visit }: (typeof left)[number]) => visit === "pending" || visit === "accepted";
  return { visits: left.filter(isOpen).map(({ appointmentId }) => appointmentId!), sms: reached.length };
}
