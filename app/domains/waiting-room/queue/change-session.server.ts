import { and, eq, inArray, isNull, notExists, or } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { formatTime, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LIVE_STATES } from "./entry.state.ts";
import { lockOwnSession, type QueueSession } from "./lock-session.server.ts";
import { lockVisits } from "./lock-visits.server.ts";
import { markLate } from "./mark-messages.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { queueChanged } from "./queue-changed.server.ts";
import { canSession, QUEUE_SESSION_ACTIONS, type QueueSessionAction } from "./session.state.ts";
import { doctorExpectedAt, LONGEST_DELAY, minutesLate } from "./session-start.ts";
import { sessionStateWord } from "./words.ts";

const wrongState = (session: QueueSession) =>
  new DomainError("conflict", m.queue_wrong_state({ state: sessionStateWord(session.state) }), { detail: { state: session.state } });

/**
 * Opens ("Doctor is in"), pauses, resumes or opens a session again. A second press of the same button changes nothing.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function changeSession(ctx: Ctx<Actor>, input: { sessionId: string; action: Exclude<QueueSessionAction, "close"> }): Promise<void> {
  const { action } = input;
  return transact(ctx, async (outer) => {
    if (action === "reopen") await lockVisits(outer, { sessionId: input.sessionId, state: "lapsed" });
    const { tx, session } = await lockOwnSession(outer, input.sessionId);
    if (!canSession(action, session.state)) {
      if (session.state === QUEUE_SESSION_ACTIONS[action].to) return;
      throw wrongState(session);
    }
    const today = todayInIndia(tx.now);
    if (action === "open" && session.date > today) throw new DomainError("conflict", m.queue_not_today());
    if (action === "reopen" && session.date !== today) throw new DomainError("conflict", m.queue_reopen_today());
    const stamp = {
      open: { doctorInAt: tx.now },
      pause: { pausedAt: tx.now },
      resume: { pausedAt: null },
      // Closed before the doctor came: this press says that the doctor is in.
      reopen: { closedAt: null, pausedAt: null, doctorInAt: session.doctorInAt ?? tx.now },
    }[action];
    if (action === "reopen") await returnLapsed(tx, session);
    await setState(tx, session, action, stamp);
  });
}

/** Brings back the patients of a session that ended by itself. Not those whose appointment was cancelled, moved or completed meanwhile. */
async function returnLapsed(tx: Ctx, session: QueueSession): Promise<void> {
  const other = alias(queueEntries, "other");
  const elsewhere = tx.db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.appointmentId, queueEntries.appointmentId), inArray(other.state, [...LIVE_STATES])));
  const rows = await tx.db
    .select({ id: queueEntries.id, arrivedAt: queueEntries.arrivedAt })
    .from(queueEntries)
    .leftJoin(appointments, eq(appointments.id, queueEntries.appointmentId))
    .where(
      and(
        eq(queueEntries.sessionId, session.id),
        eq(queueEntries.state, "lapsed"),
        or(isNull(queueEntries.appointmentId), and(openVisit(appointments), eq(appointments.date, session.date))),
        notExists(elsewhere),
      ),
    )
    .orderBy(queueEntries.number);
  for (const { id, arrivedAt } of rows) await moveEntry(tx, { session, entryId: id, action: arrivedAt ? "return" : "undo-lapse" });
}

/**
 * Announces when the doctor is expected, and notifies the patients at home. Never earlier than announced before: an announcement shortens no wait. The same time
 * again changes nothing. "Doctor is in" ends it.
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid")
 */
export function expectDoctor(ctx: Ctx<Actor>, input: { sessionId: string; at: TimeKey }): Promise<{ notified: number }> {
  return transact(ctx, async (outer) => {
    const { tx, session } = await lockOwnSession(outer, input.sessionId);
    // Patients see an announcement until the doctor is in.
    if (session.state === "closed" || session.doctorInAt) throw wrongState(session);
    const lateMinutes = minutesLate(session.startsAt, input.at);
    if (session.lateMinutes > 0 && lateMinutes === session.lateMinutes) return { notified: 0 };
    if (lateMinutes <= session.lateMinutes) {
      const time = formatTime(timeInIndia(doctorExpectedAt(session)));
      throw refusedTime(session.lateMinutes ? m.queue_expected_told({ time }) : m.queue_expected_planned({ time }));
    }
    if (lateMinutes > LONGEST_DELAY) throw refusedTime(m.queue_expected_far());
    if (doctorExpectedAt({ ...session, lateMinutes }) <= tx.now) throw refusedTime(m.queue_expected_past());
    await tx.db.update(queueSessions).set({ lateMinutes, updatedAt: tx.now }).where(eq(queueSessions.id, session.id));
    const details = { doctorId: session.doctorId, date: session.date, minutes: lateMinutes };
    await recordChange(tx, "announce-delay", { subject: { queue: session.id }, details });
    const notified = await markLate(tx, { ...session, lateMinutes });
    await queueChanged(tx, session);
    return { notified };
  });
}
const refusedTime = (sentence: string) => new DomainError("invalid", sentence, { fields: { at: [sentence] } });

/** Changes the state of a locked session, with audit row and event. */
export async function setState(
  tx: Ctx,
  session: QueueSession,
  action: QueueSessionAction,
  stamp: Partial<typeof queueSessions.$inferInsert>,
): Promise<void> {
  const { to } = QUEUE_SESSION_ACTIONS[action];
  await tx.db
    .update(queueSessions)
    .set({ state: to, ...stamp, updatedAt: tx.now })
    .where(eq(queueSessions.id, session.id));
  const { id, doctorId, date } = session;
  await recordChange(tx, `queue-session.${action}`, {
    subject: { "queue-session": id, queue: id },
    people: { doctor: doctorId },
    data: { to, date },
    details: { doctorId, date },
  });
  await queueChanged(tx, session);
}
