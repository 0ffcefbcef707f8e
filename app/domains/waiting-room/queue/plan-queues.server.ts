import { and, eq, exists, gte, isNotNull, or } from "drizzle-orm";
import { doctors, practices, queueSessions } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { planDay } from "./plan-day.server.ts";

/** A practice that gives tokens uses the queue, and one whose doctor was announced in this many days. */
const USED_WITHIN = 30;

/**
 * Gives the appointments of today their tokens in practices that use the queue, so that patients read theirs before the desk opens.
 * Run every hour. Idempotent.
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
  const found = await ctx.db
    .select({ practiceId: practices.id })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(and(or(eq(practices.mode, "tokens"), exists(used)), eq(practices.state, "active"), listedDoctor(doctors)));
  await forEachAlone(found, ({ practiceId }) => planDay(ctx, { practiceId, date }));
  return found.length;
}
