import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { workedFor } from "#app/db/schema/visit-of-clinic.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { ageAt } from "#app/lib/age.ts";
import { type DateKey, timeInIndia } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import { LIVE_STATES } from "../queue/entry.state.ts";
import { sessionRow } from "../queue/lock-session.server.ts";
import { asOfNow } from "../queue/session-end.ts";
import type { WalkInRow } from "./walk-in-row.ts";

/**
 * Returns the patients without an appointment in the queues of a day, in the order in which they came: of these doctors, and of a place only those
 * at it. The caller has checked access.
 */
export async function listWalkIns(
  ctx: Ctx,
  { doctorIds, hospitalId }: { doctorIds: readonly string[]; hospitalId?: string },
  date: DateKey,
): Promise<WalkInRow[]> {
  if (!doctorIds.length) return [];
  const atPlace =
    hospitalId === undefined
      ? []
      : [
          eq(placeOfPractice, hospitalId),
          workedFor(hospitalId, {
            doctorId: queueSessions.doctorId,
            at: sql`(${queueSessions.date} + ${queueSessions.startsAt}) at time zone 'Asia/Kolkata'`,
          }),
        ];
  const rows = await ctx.db
    .select({
      id: queueEntries.id,
      number: queueEntries.number,
      name: opened(queueEntries.name),
      age: queueEntries.age,
      birthDate: queueEntries.birthDate,
      gender: queueEntries.gender,
      state: queueEntries.state,
      arrivedAt: queueEntries.arrivedAt,
      leftAt: queueEntries.leftAt,
      createdAt: queueEntries.createdAt,
      doctorName: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
      session: sessionRow,
    })
    .from(queueSessions)
    .innerJoin(queueEntries, and(eq(queueEntries.sessionId, queueSessions.id), isNull(queueEntries.appointmentId)))
    .innerJoin(practices, eq(practices.id, queueSessions.practiceId))
    .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId))
    .where(and(inArray(queueSessions.doctorId, [...doctorIds]), eq(queueSessions.date, date), ...atPlace))
    .orderBy(asc(queueEntries.createdAt), asc(queueEntries.number));
  return rows.map(({ id, number, name, age, birthDate, gender, state, arrivedAt, leftAt, createdAt, doctorName, session }) => {
    const now = asOfNow(session, ctx.now).state;
    const isLive = (LIVE_STATES as readonly string[]).includes(state);
    return {
      ...{ id, date, time: timeInIndia(arrivedAt ?? createdAt), doctorName, sessionId: session.id },
      ...{ patientName: name, age: age === null ? null : ageAt(age, birthDate, date), gender },
      token: {
        number,
        eta: null,
        state: now === "closed" && isLive ? "lapsed" : state,
        arrived: timeInIndia(arrivedAt ?? createdAt),
        left: leftAt && timeInIndia(leftAt),
        running: now === "open" || now === "paused",
        closed: now === "closed",
      },
    };
  });
}
