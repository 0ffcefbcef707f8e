import { and, inArray, lt, or, sql } from "drizzle-orm";
import { queueSessions } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { closeLocked } from "./close-session.server.ts";
import { erasePersons } from "./erase-persons.server.ts";
import { lockStoredSession } from "./lock-session.server.ts";
import { lockVisits } from "./lock-visits.server.ts";
import { asOfNow, hasEnded } from "./session-end.ts";

/** Names and phones of a session are erased after this many days. */
export const NAMES_STAY = 30;

/** Closes sessions that nobody opened after their end, and open ones that were forgotten for a day; and erases names and phones of sessions that are over 30 days old. Run by the hourly sweep. */
export async function sweepQueues(ctx: Ctx): Promise<{ closed: number; erased: number }> {
  const today = todayInIndia(ctx.now);
  const forgotten = await ctx.db
    .select({ id: queueSessions.id })
    .from(queueSessions)
    .where(
      or(
        hasEnded(queueSessions, ctx.now),
        and(lt(queueSessions.date, addDays(today, -1)), inArray(queueSessions.state, ["open", "paused"])),
      ),
    );
  await forEachAlone(forgotten, ({ id }) =>
    transact(ctx, async (tx) => {
      await lockVisits(tx, { sessionId: id });
      const session = await lockStoredSession(tx, id);
      // Staff may have opened or closed it meanwhile.
      const isDue = session.state === "planned" ? asOfNow(session, tx.now).state === "closed" : session.date < addDays(today, -1);
      if (isDue && session.state !== "closed") await closeLocked(tx, session, { by: "system" });
    }),
  );
  const old = sql`session_id in (select s.id from queue_sessions s where s.date < ${addDays(today, -NAMES_STAY)})`;
  return { closed: forgotten.length, erased: await erasePersons(ctx, old) };
}
