import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { takenSeats } from "#app/db/schema/full-slot.ts";
import { appointments, availabilitySlots } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import type { ModeFacts } from "./mode-facts.ts";
import type { PracticeRow } from "./queries.server.ts";

/** Appointments that the page names. */
const MOST_NAMED = 5;

/** Returns what another mode would change in the acting doctor's practice. */
export async function getModeFacts(ctx: Ctx<Actor>, { id, mode }: Pick<PracticeRow, "id" | "mode">): Promise<ModeFacts> {
  const now = minuteInIndia(ctx.now);
  const count = (where: ReturnType<typeof sql>) => sql<number>`${sql`(count(*) filter (where ${where}))::int`}`;
  const isFree = sql`${takenSeats(availabilitySlots)} = 0`;
  const [[slots], visits] = await Promise.all([
    ctx.db
      .select({ free: count(isFree), byHand: count(sql`${isFree} and not ${availabilitySlots.fromHours}`) })
      .from(availabilitySlots)
      .where(
        and(eq(availabilitySlots.doctorId, ctx.actor.userId), eq(availabilitySlots.practiceId, id), startsLater(availabilitySlots, now)),
      ),
    ctx.db
      .select({
        id: appointments.id,
        date: appointments.date,
        time: appointments.time,
        name: appointments.patientName,
        all: sql<number>`(count(*) over ())::int`,
      })
      .from(appointments)
      .where(
        and(
          eq(appointments.doctorId, ctx.actor.userId),
          eq(appointments.practiceId, id),
          openVisit(appointments),
          startsLater(appointments, now),
          mode === "tokens" ? isNotNull(appointments.queueSessionId) : isNull(appointments.queueSessionId),
        ),
      )
      .orderBy(asc(appointments.date), asc(appointments.time), asc(appointments.id))
      .limit(MOST_NAMED),
  ]);
  return {
    free: slots?.free ?? 0,
    byHand: slots?.byHand ?? 0,
    booked: visits[0]?.all ?? 0,
    first: visits.map(({ all: _, ...visit }) => ({ ...visit, time: visit.time.slice(0, 5), name: patientNameWord(visit.name) })),
  };
}
