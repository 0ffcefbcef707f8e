import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { appointments } from "#app/db/schema/index.ts";
import { OPEN_STATUSES } from "./appointment.state.ts";
import { CHANGE_HOURS, firstChangeable, type Minute, minuteInIndia } from "./visit-time.ts";

// The rules of visit-time.ts and appointment.state.ts in SQL.

type Column = AnyPgColumn | SQL;
type Timed = { date: Column; time: Column };
type At = Minute | { date: Placeholder; time: Placeholder };

/** The current minute in prepared queries. Execute them with `...nowValues(now)`. */
export const NOW = { date: sql.placeholder("today"), time: sql.placeholder("time"), instant: sql.placeholder("now") };
export const nowValues = (now: Date) => {
  const { date, time } = minuteInIndia(now);
  return { today: date, time, now: now.toISOString() };
};

/** SQL form of `!hasStarted`: the visit or slot is in the future. */
export const startsLater = (t: Timed, now: At) => sql<boolean>`(${t.date}, ${t.time}) > (${now.date}::date, ${now.time}::time)`;
/** SQL form of `!hasPassed`: the visit starts now or later. */
export const hasNotPassed = (t: Timed, now: At) => sql<boolean>`(${t.date}, ${t.time}) >= (${now.date}::date, ${now.time}::time)`;
/** SQL form of the 24-hour rule of isReschedulable, without the status. */
export const isBeforeNotice = (t: Timed, now: Date) => hasNotPassed(t, firstChangeable(now));
/** SQL form of the rule of cancelDeadline for a visit whose doctor is listed and has not moved it. */
export const isBeforeCancelDeadline = (t: Timed & { refundHours: Column }, now: Minute) =>
  sql<boolean>`${t.date} + ${t.time} - make_interval(hours => least(greatest(${t.refundHours}, 0), ${CHANGE_HOURS})) >= ${now.date}::date + ${now.time}::time`;

/**
 * SQL: the clinic changed the time, so the patient can cancel until the start: it moved the appointment, or its doctor is away at that time and the
 * patient has not answered which other time they take.
 */
export const MOVED_BY_CLINIC = sql<boolean>`(appointments.moved_at is not null or exists (select from appointment_proposals ap
  where ap.appointment_id = appointments.id and ap.state = 'proposed' and ap.away_reason is not null))`;

const OPEN = sql.raw(OPEN_STATUSES.map((status) => `'${status}'`).join(", "));
/** SQL form of isOpen. With the values in its text, as the partial index `appointments_coming` has them. */
export const openVisit = (t: { status: Column }) => sql<boolean>`${t.status} in (${OPEN})`;

/**
 * The next `updatedAt` of an appointment, in an update of it: at least a second after the last one. Its calendar entry takes the SEQUENCE from it, so
 * the number rises with each change, also with two in one second or by clocks that differ.
 */
export const changedAt = (now: Date) =>
  sql<Date>`greatest(${now.toISOString()}::timestamptz, date_trunc('second', ${appointments.updatedAt}) + interval '1 second')`;
