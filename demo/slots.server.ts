import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { auditLog, availabilitySlots, doctors, practices } from "#app/db/schema/index.ts";
import { addDays, type DateKey, daysBetween, type TimeKey, todayInIndia, weekdayOf } from "#app/lib/dates.ts";
import { demoId } from "./ids.server.ts";
import { CLINIC_EVENINGS, DOCTORS, type Pattern, TOKENS_OF_EVENING } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

/** Days after today with slots. */
export const DAYS_AHEAD = 14;
const FILLED = { action: "demo.slots-filled", subjectType: "demo", subjectId: "availability" } as const;

const label = (half: number): TimeKey => `${String(Math.floor(half)).padStart(2, "0")}:${half % 1 ? "30" : "00"}`;
const session = (hours: [number, number] | null) =>
  hours ? Array.from({ length: (hours[1] - hours[0]) * 2 }, (_, i) => label(hours[0] + i / 2)) : [];

/** Returns the half hours of a day. Weekend afternoons end an hour earlier. */
export function timesOf(pattern: Pattern, date: DateKey): TimeKey[] {
  const day = weekdayOf(date);
  if (pattern.off.includes(day)) return [];
  const { morning, afternoon } = pattern;
  const weekend = day === 0 || day === 6;
  return [...session(morning), ...session(afternoon && weekend ? [afternoon[0], afternoon[1] - 1] : afternoon)];
}

/** An evening at the first doctor's clinic as one session with tokens. */
export const EVENING_SESSION = {
  time: label(CLINIC_EVENINGS[0]),
  until: label(CLINIC_EVENINGS[1]),
  minutes: (CLINIC_EVENINGS[1] - CLINIC_EVENINGS[0]) * 60,
  seats: TOKENS_OF_EVENING,
};

/** Returns the half hours at the first doctor's clinic, for a doctor who works there in the evening. */
const eveningTimesOf = (pattern: Pattern, date: DateKey): TimeKey[] =>
  pattern.off.includes(weekdayOf(date)) ? [] : session(CLINIC_EVENINGS);

/** The practice of a doctor of the first doctor's clinic, in the evening. */
export const eveningPractice = (fullName: string) => demoId(`practice ${fullName}`);

type Slot = { time: TimeKey; minutes: number; seats: number; tokens: boolean };
/** Both ways to book an evening: the mode of the practice selects one. */
const eveningSlotsOf = (pattern: Pattern, date: DateKey): Slot[] => {
  const times = eveningTimesOf(pattern, date);
  const { until: _, ...session } = EVENING_SESSION;
  return times.length ? [...times.map(single), { ...session, tokens: true }] : [];
};
const single = (time: TimeKey): Slot => ({ time, minutes: 30, seats: 1, tokens: false });

/** Adds slots of the demo doctors from `from` to `to`. Skips dates on which a doctor has slots at the same place. */
export async function fillSlots(db: Db, from: DateKey, to: DateKey, now: Date): Promise<void> {
  await insertTimes(db, from, to, true);
  await insertTimes(db, from, to, false);
  // Recorded separately: a day that a doctor emptied must stay empty.
  await db.insert(auditLog).values({ ...FILLED, at: now, actorRole: "system", details: { until: to } });
}
/** Adds the slots of the clinic's evenings only. */
export const fillEvenings = (db: Db, from: DateKey, to: DateKey) => insertTimes(db, from, to, false);

async function insertTimes(db: Db, from: DateKey, to: DateKey, first: boolean): Promise<void> {
  const own = DOCTORS.map((doctor) => ({
    ...doctor,
    practice: first ? demoId(`doctor ${doctor.fullName}`) : eveningPractice(doctor.fullName),
  }));
  const rows = own.flatMap(({ practice, pattern }) =>
    Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i)).flatMap((date) =>
      (first ? timesOf(pattern, date).map(single) : eveningSlotsOf(pattern, date)).map((slot) => ({ practice, date, ...slot })),
    ),
  );
  await db.execute(sql`
    insert into ${availabilitySlots} (doctor_id, practice_id, date, time, minutes, seats, tokens, from_hours)
    select p.doctor_id, p.id, r.date, r.time, r.minutes, r.seats, r.tokens, r.tokens
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(practice uuid, date date, time time, minutes int, seats int, tokens boolean)
      join ${practices} p on p.id = r.practice and p.state = 'active' and (p.mode = 'tokens') = r.tokens join ${doctors} d on d.id = p.doctor_id and d.is_demo
    where not exists (select from ${availabilitySlots} s where s.doctor_id = p.doctor_id and s.practice_id = p.id and s.date = r.date)
    on conflict do nothing`);
}

async function filledUntil(db: Db): Promise<DateKey | null> {
  const [row] = await db
    .select({ until: sql<string | null>`${auditLog.details} ->> 'until'` })
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, FILLED.subjectType), eq(auditLog.subjectId, FILLED.subjectId), eq(auditLog.action, FILLED.action)))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return row?.until ?? null;
}

/**
 * Adds slots of the demo doctors since the last run, up to fourteen days from today. Never changes days that were filled
 * before. One short query when nothing is due.
 */
export async function topUpSlots(ctx: SeedCtx): Promise<void> {
  const today = todayInIndia(ctx.now);
  const target = addDays(today, DAYS_AHEAD);
  const isDue = (until: DateKey | null): until is DateKey => until !== null && until < target;
  if (!isDue(await filledUntil(ctx.db))) return;
  await locked(ctx, async (db) => {
    const until = await filledUntil(db);
    if (!isDue(until)) return;
    const next = addDays(until, 1);
    await fillSlots(db, next > today ? next : today, target, ctx.now);
  });
}
