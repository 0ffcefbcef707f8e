import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { LIVE_STATES } from "./entry.state.ts";
import { hasEnded } from "./session-end.ts";

const LIVE = sql.raw(LIVE_STATES.map((state) => `'${state}'`).join(", "));
const session = { state: sql`s.state`, date: sql`s.date`, endsAt: sql`s.ends_at`, lateMinutes: sql`s.late_minutes` };

/** SQL: the token of a row of `appointments` waits or is inside: its session has not ended. Written in full: drizzle omits the table in a one-table select. */
export const inQueue = (now: Date | Placeholder): SQL<boolean> =>
  sql<boolean>`exists (select from queue_entries e join queue_sessions s on s.id = e.session_id
    where e.appointment_id = appointments.id and e.state in (${LIVE}) and s.state <> 'closed' and not ${hasEnded(session, now)})`;
