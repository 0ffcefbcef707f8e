import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type DateKey, instantInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import type { QueueSessionState } from "#app/lib/vocabulary.ts";

/** A session that nobody opened ends by itself this long after its planned end and the announced delay. */
export const SESSION_GRACE = minutes(60);

type Planned = { date: DateKey; endsAt: string; lateMinutes: number; state: QueueSessionState; closedAt: Date | null };

/** Returns when a session ends by itself if it is never opened. */
const endOfPlan = ({ date, endsAt, lateMinutes }: Planned): Date =>
  new Date(instantInIndia(date, endsAt.slice(0, 5)).getTime() + minutes(lateMinutes) + SESSION_GRACE);

/** Returns a session as it is at `now`: one that ended by itself is closed, also before the sweep has written it. An open session stays open. */
export function asOfNow<S extends Planned>(session: S, now: Date): S {
  const closedAt = endOfPlan(session);
  return session.state === "planned" && now >= closedAt ? { ...session, state: "closed", closedAt } : session;
}

type Columns = { date: SQLWrapper; endsAt: SQLWrapper; lateMinutes: SQLWrapper; state: SQLWrapper };

/** SQL form of `asOfNow`: the session ended by itself and is not written as closed yet. `now` of a prepared query: an ISO text. */
export const hasEnded = (t: Columns, now: Date | Placeholder): SQL<boolean> =>
  sql<boolean>`(${t.state} = 'planned' and (${t.date} + ${t.endsAt}) at time zone 'Asia/Kolkata' + ${t.lateMinutes} * interval '1 minute'
    + ${SESSION_GRACE / minutes(1)} * interval '1 minute' <= ${now instanceof Date ? now.toISOString() : now}::timestamptz)`;
