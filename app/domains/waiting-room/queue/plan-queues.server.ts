import { and, eq, gte, isNotNull } from "drizzle-orm";
import { doctors, practices, queueSessions } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { planDay } from "./plan-day.server.ts";

/** A practice whose doctor was announced in this many days uses the queue. */
const USED_WITHIN = 30;

/**
 * Gives the appointments of today their tokens in practices that use the queue, so that patients read theirs before the desk opens.
 * Run every hour. Idempotent.
 * @returns the number of practices
 */
export async function planQueues(ctx: Ctx): Promise<number> {
  const date = todayInIndia(ctx.now);
  const found = await ctx.db
    .selectDistinct({ practiceId: practices.id })
    .from(queueSessions)
    .innerJoin(practices, eq(practices.id, queueSessions.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(
      and(
        gte(queueSessions.date, addDays(date, -USED_WITHIN)),
        isNotNull(queueSessions.doctorInAt),
        eq(practices.state, "active"),
        listedDoctor(doctors),
      ),
    );
  await forEachAlone(found, ({ practiceId }) => planDay(ctx, { practiceId, date }));
  return found.length;
}
