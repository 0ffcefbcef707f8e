import { sql } from "drizzle-orm";
import { check, date, foreignKey, index, integer, pgTable, smallint, text, time, unique, uuid } from "drizzle-orm/pg-core";
import { PARTS_OF_DAY, QUEUE_SESSION_STATES } from "#app/lib/vocabulary.ts";
import { practices } from "./clinic.ts";
import { at, createdAt, id } from "./columns.ts";
import { ofNoPatient } from "./policy.ts";

/**
 * One run of a practice: "Tuesday evening". A session keeps its date past midnight. Transitions: waiting-room/queue/session.state.ts.
 * `lastNumber` issues the tokens: only `issueNumber` changes it.
 */
export const queueSessions = pgTable(
  "queue_sessions",
  {
    id: id(),
    practiceId: uuid().notNull(),
    doctorId: uuid().notNull(),
    date: date({ mode: "string" }).notNull(),
    part: text({ enum: PARTS_OF_DAY }).notNull(),
    state: text({ enum: QUEUE_SESSION_STATES }).notNull().default("planned"),
    /** The planned times, in India. */
    startsAt: time().notNull(),
    endsAt: time().notNull(),
    lastNumber: integer().notNull().default(0),
    /** Number of calls so far. Orders the calls, and says when a skipped patient may return. */
    calls: integer().notNull().default(0),
    /** How many tokens can be booked. The trigger of appointments checks it. null: the practice gives times, not tokens. */
    seats: smallint(),
    /** Announced delay of the start. */
    lateMinutes: smallint().notNull().default(0),
    /** The delay of which patients at home were last notified. null: of none. */
    toldLateMinutes: smallint(),
    doctorInAt: at(),
    pausedAt: at(),
    closedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: "queue_sessions_practice",
      columns: [t.practiceId, t.doctorId],
      foreignColumns: [practices.id, practices.doctorId],
    }).onDelete("cascade"),
    unique("queue_sessions_once").on(t.practiceId, t.date, t.part),
    index("queue_sessions_doctor").on(t.doctorId, t.date),
    check("queue_sessions_last_number", sql`${t.lastNumber} >= 0 and ${t.calls} >= 0`),
    check("queue_sessions_late", sql`${t.lateMinutes} between 0 and 480`),
    check("queue_sessions_seats", sql`${t.seats} between 1 and 500`),
  ],
);
ofNoPatient(queueSessions);
