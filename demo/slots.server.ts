import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { auditLog, availabilitySlots, doctors, users } from "#app/db/schema/index.ts";
import { addDays, type DateKey, daysBetween, type TimeKey, todayInIndia, weekdayOf } from "#app/lib/dates.ts";
import { DOCTORS, type Pattern } from "./people.ts";
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

/** Adds slots of the demo doctors from `from` to `to`. Skips dates on which a doctor has slots. */
export async function fillSlots(db: Db, from: DateKey, to: DateKey, now: Date): Promise<void> {
  const people = await db
    .select({ id: doctors.id, email: users.email })
    .from(doctors)
    .innerJoin(users, eq(users.id, doctors.id))
    .where(eq(doctors.isDemo, true));
  const patterns = new Map(DOCTORS.map((d) => [d.email, d.pattern]));
  const rows = people.flatMap(({ id, email }) => {
    const pattern = patterns.get(email ?? "");
    if (!pattern) return [];
    return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i)).flatMap((date) =>
      timesOf(pattern, date).map((time) => ({ id, date, time })),
    );
  });
  await db.execute(sql`
    insert into ${availabilitySlots} (doctor_id, date, time)
    select r.id, r.date, r.time from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, date date, time time)
    where not exists (select from ${availabilitySlots} s where s.doctor_id = r.id and s.date = r.date)
    on conflict do nothing`);
  // Recorded separately: a day that a doctor emptied must stay empty.
  await db.insert(auditLog).values({ ...FILLED, at: now, actorRole: "system", details: { until: to } });
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
