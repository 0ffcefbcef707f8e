import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { APPOINTMENT_STATUSES } from "#app/lib/vocabulary.ts";
import { testDb } from "../../tests/setup/test-db.ts";
import { isOpen } from "./appointment.state.ts";
import { REFUND_HOURS } from "./booking/cancellation/refund-policy.ts";
import { hasNotPassed, isBeforeCancelDeadline, isBeforeNotice, openVisit, startsLater } from "./visit-time.server.ts";
import { hasPassed, hasStarted, isCancellable, isReschedulable, minuteInIndia } from "./visit-time.ts";

const { db } = testDb();

const DAY = "2026-11-22";
/** Instants around a visit's start at 10:30 in India, around midnight, and a day before. */
const INSTANTS = [
  ...[-minutes(1), -1, 0, seconds(30), minutes(1) - 1, minutes(1)].map((ms) => new Date(instantInIndia(DAY, "10:30").getTime() + ms)),
  instantInIndia(DAY, "00:00"),
  new Date(instantInIndia(DAY, "00:00").getTime() - 1),
  ...[-minutes(1), -1, 0, seconds(30), minutes(1)].map((ms) => new Date(instantInIndia(addDays(DAY, -1), "10:30").getTime() + ms)),
];
const VISITS = [-1, 0, 1].flatMap((day) =>
  ["00:00", "10:00", "10:29", "10:30", "10:31", "23:59"].map((time) => ({ date: addDays(DAY, day), time })),
);

it.each(INSTANTS)("SQL and TypeScript agree on past, upcoming, and until when a patient moves and cancels, at %s", async (now) => {
  const at = minuteInIndia(now);
  for (const visit of VISITS) {
    const row = { date: sql`${visit.date}::date`, time: sql`${visit.time}::time` };
    const hours = (value: number) => isBeforeCancelDeadline({ ...row, refundHours: sql`${value}::smallint` }, at);
    const [computed] = await db.execute(
      sql`select ${startsLater(row, at)} as later, ${hasNotPassed(row, at)} as upcoming, ${isBeforeNotice(row, now)} as movable,
        array[${sql.join(REFUND_HOURS.map(hours), sql`, `)}] as cancellable`,
    );
    const own = { ...visit, status: "accepted", doctorDelisted: false, movedByDoctor: false } as const;
    expect(computed, `${visit.date} ${visit.time}`).toEqual({
      later: !hasStarted(now, visit),
      upcoming: !hasPassed(visit, at),
      movable: isReschedulable(now, own),
      cancellable: REFUND_HOURS.map((refundHours) => isCancellable(now, { ...own, refundHours })),
    });
  }
});

it.each([
  ["a minute before its start", -minutes(1), { started: false, passed: false }],
  ["a millisecond before its start", -1, { started: false, passed: false }],
  ["at its start", 0, { started: true, passed: false }],
  ["in its first minute", minutes(1) - 1, { started: true, passed: false }],
  ["a minute after its start", minutes(1), { started: true, passed: true }],
])("a visit %s", (_, ms, expected) => {
  const visit = { date: DAY, time: "10:30" };
  const now = new Date(instantInIndia(DAY, "10:30").getTime() + ms);
  expect({ started: hasStarted(now, visit), passed: hasPassed(visit, minuteInIndia(now)) }).toEqual(expected);
});

it.each(APPOINTMENT_STATUSES)("SQL, TypeScript and the index of reminders agree whether a visit that is %s is open", async (status) => {
  const [row] = await db.execute<{ open: boolean }>(sql`select ${openVisit({ status: sql`${status}::text` })} as open`);
  const [index] = await db.execute<{ predicate: string }>(
    sql`select pg_get_expr(indpred, indrelid) as predicate from pg_index where indexrelid = 'appointments_coming'::regclass`,
  );
  const expected = status === "pending" || status === "accepted";
  expect([row?.open, isOpen({ status }), index?.predicate.includes(`'${status}'`)]).toEqual([expected, expected, expected]);
});
