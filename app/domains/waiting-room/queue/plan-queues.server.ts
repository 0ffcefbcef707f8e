import { and, eq, exists, gte, inArray, isNotNull, notExists, or } from "drizzle-orm";
import { appointments, doctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { planDay } from "./plan-day.server.ts";

/** A practice that gives tokens uses the queue, and one whose doctor was announced in this many days. */
const USED_WITHIN = 30;

/**
 * Gives the appointments of today their tokens in practices that use the queue, so that patients read theirs before the desk opens. Run every
 * minute: pages that are read store nothing. Practices where nothing is missing are not read. Idempotent.
 * @returns the number of practices
 */
export async function planQueues(ctx: Ctx): Promise<number> {
  const date = todayInIndia(ctx.now);
  const used = ctx.db
    .select({ id: queueSessions.id })
    .from(queueSessions)
    .where(
      and(
        eq(queueSessions.practiceId, practices.id),
        gte(queueSessions.date, addDays(date, -USED_WITHIN)),
        isNotNull(queueSessions.doctorInAt),
      ),
    );
  const ofToday = ctx.db
    .select({ id: queueSessions.id })
    .from(queueSessions)
    .where(and(eq(queueSessions.practiceId, practices.id), eq(queueSessions.date, date)));
  const withoutToken = ctx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.doctorId, practices.doctorId),
        eq(appointments.practiceId, practices.id),
        eq(appointments.date, date),
        eq(appointments.status, "accepted"),
        notExists(
          ctx.db
            .select({ id: queueEntries.id })
            .from(queueEntries)
            .where(and(eq(queueEntries.appointmentId, appointments.id), inArray(queueEntries.state, [...LIVE_STATES]))),
        ),
      ),
    );
  const found = await ctx.db
    .select({ practiceId: practices.id })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(
      and(
        or(eq(practices.mode, "tokens"), exists(used)),
        or(notExists(ofToday), exists(withoutToken)),
        eq(practices.state, "active"),
        listedDoctor(doctors),
      ),
    );
  await forEachAlone(found, ({ practiceId }) => planDay(ctx, { practiceId, date }));
  return found.length;
}
