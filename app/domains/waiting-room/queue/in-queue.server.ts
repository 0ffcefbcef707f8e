import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { hasEnded } from "./session-end.ts";

const LIVE = sql.raw(LIVE_STATES.map((state) => `'${state}'`).join(", "));
const session = { state: sql`s.state`, date: sql`s.date`, endsAt: sql`s.ends_at`, lateMinutes: sql`s.late_minutes` };

/**
 * SQL: the queue of the day has called the patient of a row of `appointments` in, or has seen them. Found by the session: ended tokens have no index by
 * appointment.
 */
export const IS_INSIDE = ofDay(["called", "with-doctor", "done"]);
/** SQL: the queue of the day has seen the patient of a row of `appointments`. */
export const IS_DONE = ofDay(["done"]);

function ofDay(states: readonly QueueEntryState[]): SQL<boolean> {
  return sql<boolean>`exists (select from queue_sessions s join queue_entries e on e.session_id = s.id
    where s.practice_id = appointments.practice_id and s.date = appointments.date and e.appointment_id = appointments.id
      and e.state in (${sql.raw(states.map((state) => `'${state}'`).join(", "))}))`;
}

/** SQL: the token of a row of `appointments` waits or is inside: its session has not ended. Written in full: drizzle omits the table in a one-table select. */
export const inQueue = (now: Date | Placeholder): SQL<boolean> =>
  sql<boolean>`exists (select from queue_entries e join queue_sessions s on s.id = e.session_id
    where e.appointment_id = appointments.id and e.state in (${LIVE}) and s.state <> 'closed' and not ${hasEnded(session, now)})`;
