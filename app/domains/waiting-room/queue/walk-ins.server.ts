import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { doctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { workedFor } from "#app/db/schema/visit-of-clinic.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { type DateKey, type TimeKey, timeInIndia } from "#app/lib/dates.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { sessionRow } from "./lock-session.server.ts";
import { asOfNow } from "./session-end.ts";

/** A patient of a day's queues without an appointment. `name`: empty once it was erased. */
export type WalkInRow = { id: string; number: number; name: string; doctorName: string; arrived: TimeKey; state: QueueEntryState };

/** Returns the patients without an appointment in the queues of a day at a place, in the order in which they came. The caller has checked access. */
export async function listWalkIns(
  ctx: Ctx,
  { doctorIds, hospitalId }: { doctorIds: readonly string[]; hospitalId: string },
  date: DateKey,
): Promise<WalkInRow[]> {
  if (!doctorIds.length) return [];
  const rows = await ctx.db
    .select({
      id: queueEntries.id,
      number: queueEntries.number,
      name: opened(queueEntries.name),
      entry: queueEntries.state,
      arrivedAt: queueEntries.arrivedAt,
      createdAt: queueEntries.createdAt,
      doctorName: doctors.fullName,
      session: sessionRow,
    })
    .from(queueSessions)
    .innerJoin(queueEntries, and(eq(queueEntries.sessionId, queueSessions.id), isNull(queueEntries.appointmentId)))
    .innerJoin(practices, eq(practices.id, queueSessions.practiceId))
    .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId))
    .where(
      and(
        inArray(queueSessions.doctorId, [...doctorIds]),
        eq(queueSessions.date, date),
        eq(placeOfPractice, hospitalId),
        workedFor(hospitalId, {
          doctorId: queueSessions.doctorId,
          at: sql`(${queueSessions.date} + ${queueSessions.startsAt}) at time zone 'Asia/Kolkata'`,
        }),
      ),
    )
    .orderBy(asc(queueEntries.createdAt), asc(queueEntries.number));
  return rows.map(({ entry, arrivedAt, createdAt, session, ...row }) => {
    const isOver = asOfNow(session, ctx.now).state === "closed" && (LIVE_STATES as readonly string[]).includes(entry);
    return { ...row, arrived: timeInIndia(arrivedAt ?? createdAt), state: isOver ? "lapsed" : entry };
  });
}
