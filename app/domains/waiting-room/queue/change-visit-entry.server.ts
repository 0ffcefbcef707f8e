import { and, desc, eq, isNull } from "drizzle-orm";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { changeEntry } from "./change-entry.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { requireQueue } from "./lock-session.server.ts";
import { planDay } from "./plan-day.server.ts";

/** What a row of an agenda does in the queue of its day. */
export const VISIT_PRESSES = ["arrive", "finish", "return", "leave"] as const;
export type VisitPress = (typeof VISIT_PRESSES)[number];

/**
 * Changes where the patient of an appointment is in the queue of its day, as a press on the page of the queue does. Plans the day first, because
 * reading an agenda stores nothing.
 * @returns the token and its state
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function changeVisitEntry(
  ctx: Ctx<Actor>,
  { appointmentId, action }: { appointmentId: string; action: VisitPress },
): Promise<{ number: number; state: QueueEntryState }> {
  const [visit] = isUuid(appointmentId)
    ? await ctx.db
        .select({ practiceId: appointments.practiceId, date: appointments.date })
        .from(appointments)
        .where(eq(appointments.id, appointmentId))
    : [];
  if (!visit) throw new DomainError("not-found");
  await requireQueue(ctx, visit.practiceId);
  if (visit.date === todayInIndia(ctx.now)) await planDay(ctx, visit);
  const entries = await ctx.db
    .select({ entryId: queueEntries.id, sessionId: queueSessions.id, state: queueEntries.state })
    .from(queueSessions)
    .innerJoin(queueEntries, and(eq(queueEntries.sessionId, queueSessions.id), eq(queueEntries.appointmentId, appointmentId)))
    .where(and(eq(queueSessions.practiceId, visit.practiceId), eq(queueSessions.date, visit.date)))
    .orderBy(desc(queueEntries.updatedAt));
  const entry = entries.find(({ state }) => (LIVE_STATES as readonly string[]).includes(state)) ?? entries[0];
  if (!entry) throw new DomainError("conflict", m.queue_no_token());
  return changeEntry(ctx, { ...entry, action });
}

/**
 * Changes where a patient without an appointment is in the queue, as a press on its page does.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function changeWalkIn(
  ctx: Ctx<Actor>,
  { entryId, action }: { entryId: string; action: VisitPress },
): Promise<{ number: number; state: QueueEntryState }> {
  const [entry] = await ctx.db
    .select({ sessionId: queueEntries.sessionId })
    .from(queueEntries)
    .where(and(eq(queueEntries.id, entryId), isNull(queueEntries.appointmentId)));
  if (!entry) throw new DomainError("not-found");
  return changeEntry(ctx, { ...entry, entryId, action });
}
