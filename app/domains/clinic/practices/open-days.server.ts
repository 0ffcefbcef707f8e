import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { takenSeats } from "#app/db/schema/full-slot.ts";
import {
  appointments,
  availabilitySlots,
  doctors,
  leaves,
  practiceDays,
  practiceHours,
  practices,
  slotClaims,
} from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { partsOf } from "#app/domains/waiting-room/queue/parts.ts";
import { addDays, todayInIndia, weekdayOf } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";

/** Weekly hours open the times of so many days from today on. */
export const OPEN_DAYS = 60;

/**
 * Opens the times of a doctor's weekly hours that are still missing in the next 60 days. Leaves alone days of leave, days that the doctor changed
 * by hand, and times that overlap with others of the doctor. The caller has locked the schedule. @returns how many were new
 */
export async function openDays(tx: Ctx, doctorId: string): Promise<number> {
  const today = todayInIndia(tx.now);
  const now = minuteInIndia(tx.now);
  const opened = await tx.db.execute(sql`
    insert into ${availabilitySlots} (doctor_id, practice_id, date, time, minutes, seats, from_hours)
    select p.doctor_id, p.id, d.day::date, start.at::time, p.slot_minutes, p.patients_per_slot, true
    from ${practices} p
      join ${practiceHours} h on h.practice_id = p.id
      join generate_series(${today}::date, ${addDays(today, OPEN_DAYS - 1)}::date, interval '1 day') d(day) on extract(dow from d.day) = h.weekday
      cross join lateral generate_series(d.day + h."from", d.day + h.until - p.slot_minutes * interval '1 minute', p.slot_minutes * interval '1 minute') start(at)
    where p.doctor_id = ${doctorId} and p.state = 'active' and p.mode = 'slots' and start.at > ${now.date}::date + ${now.time}::time
      and not exists (select from ${practiceDays} c where c.practice_id = p.id and c.date = d.day::date)
      and not exists (select from ${availabilitySlots} s where s.practice_id = p.id and s.doctor_id = p.doctor_id and s.date = d.day::date and not s.from_hours)
      and not exists (select from ${leaves} l where l.doctor_id = p.doctor_id and coalesce(l.practice_id, p.id) = p.id and l.ended_at is null
        and d.day::date between l."from" and l.until)
      and not exists (select from ${availabilitySlots} s where s.doctor_id = p.doctor_id and s.date = d.day::date
        and s.date + s.time < start.at + p.slot_minutes * interval '1 minute' and s.date + s.time + s.minutes * interval '1 minute' > start.at)
    on conflict do nothing
    returning 1`);
  const sessions = await openSessions(tx, doctorId);
  await tx.db
    .update(practices)
    .set({ openedUntil: addDays(today, OPEN_DAYS - 1) })
    .where(and(eq(practices.doctorId, doctorId), eq(practices.state, "active")));
  await settleWaitlist(tx, doctorId);
  return opened.length + sessions;
}

/**
 * Opens the missing sessions of a doctor's practices that give tokens: one time for each part of a day. Leaves alone a part of a day in which the
 * doctor has other times or appointments, until they are over. @returns how many were new
 */
async function openSessions(tx: Ctx, doctorId: string): Promise<number> {
  const spans = await tx.db
    .select({ practiceId: practices.id, weekday: practiceHours.weekday, from: practiceHours.from, until: practiceHours.until })
    .from(practices)
    .innerJoin(practiceHours, eq(practiceHours.practiceId, practices.id))
    .where(and(eq(practices.doctorId, doctorId), eq(practices.state, "active"), eq(practices.mode, "tokens")));
  if (!spans.length) return 0;
  const today = todayInIndia(tx.now);
  const now = minuteInIndia(tx.now);
  const days = Array.from({ length: OPEN_DAYS }, (_, i) => addDays(today, i));
  const byPractice = Map.groupBy(spans, ({ practiceId }) => practiceId);
  const rows = [...byPractice].flatMap(([practiceId, all]) =>
    days.flatMap((date) => {
      const ofDay = all.filter(({ weekday }) => weekday === weekdayOf(date));
      return partsOf(ofDay.map(({ from, until }) => ({ from: from.slice(0, 5), until: until.slice(0, 5) }))).map(
        ({ part: _, ...span }) => ({
          practice: practiceId,
          date,
          ...span,
        }),
      );
    }),
  );
  const opened = await tx.db.execute(sql`
    insert into ${availabilitySlots} (doctor_id, practice_id, date, time, minutes, seats, from_hours, tokens)
    select p.doctor_id, p.id, r.date, r."from", extract(epoch from r.until - r."from") / 60, p.seats_per_session, true, true
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(practice uuid, date date, "from" time, until time)
      join ${practices} p on p.id = r.practice
    where r.date + r."from" > ${now.date}::date + ${now.time}::time
      and not exists (select from ${practiceDays} c where c.practice_id = p.id and c.date = r.date)
      and not exists (select from ${leaves} l where l.doctor_id = p.doctor_id and coalesce(l.practice_id, p.id) = p.id and l.ended_at is null
        and r.date between l."from" and l.until)
      and not exists (select from ${availabilitySlots} s where s.doctor_id = p.doctor_id and s.date = r.date
        and s.date + s.time < r.date + r.until and s.date + s.time + s.minutes * interval '1 minute' > r.date + r."from")
      and not exists (select from ${appointments} a where a.practice_id = p.id and a.doctor_id = p.doctor_id and a.date = r.date and ${openVisit({ status: sql`a.status` })}
        and (a.queue_session_id is null or a.time <> r."from")
        and a.date + a.time < r.date + r.until and a.date + a.time + a.minutes * interval '1 minute' > r.date + r."from")
    on conflict do nothing
    returning 1`);
  return opened.length;
}

/**
 * Replaces the times that the hours of a practice opened: after a change of hours, length or seats. Times with an appointment or an offer stay, and sessions with a token. The
 * caller has locked the schedule. `all`: also those that were opened by hand.
 */
export async function reopenDays(tx: Ctx, of: { doctorId: string; practiceId: string; all?: boolean }): Promise<void> {
  const coming = and(
    eq(availabilitySlots.doctorId, of.doctorId),
    eq(availabilitySlots.practiceId, of.practiceId),
    startsLater(availabilitySlots, minuteInIndia(tx.now)),
  );
  // Waits for bookings under way. The next statements then see their claims.
  await tx.db.select({ time: availabilitySlots.time }).from(availabilitySlots).where(coming).for("update");
  await tx.db
    .delete(availabilitySlots)
    .where(and(coming, of.all ? undefined : eq(availabilitySlots.fromHours, true), sql`${takenSeats(availabilitySlots)} = 0`));
  const claims = sql`from ${slotClaims} c where c.doctor_id = ${availabilitySlots.doctorId} and c.date = ${availabilitySlots.date} and c.time = ${availabilitySlots.time}`;
  await tx.db
    .update(availabilitySlots)
    .set({
      seats: sql`case when ${availabilitySlots.tokens} then greatest((select p.seats_per_session from practices p where p.id = ${of.practiceId}), ${takenSeats(availabilitySlots)}) else greatest((select p.patients_per_slot from practices p where p.id = ${of.practiceId}), coalesce((select max(c.seat) ${claims}), 1)) end`,
    })
    .where(coming);
  await openDays(tx, of.doctorId);
}

/**
 * Opens the next days of the doctors whose last opened day is behind, each in a transaction of their own. One query when there is nothing to do.
 * @returns how many times were new
 */
export async function openAllDays(ctx: Ctx): Promise<number> {
  const last = addDays(todayInIndia(ctx.now), OPEN_DAYS - 1);
  const behind = await ctx.db
    .selectDistinct({ id: practices.doctorId })
    .from(practices)
    .innerJoin(practiceHours, eq(practiceHours.practiceId, practices.id))
    .innerJoin(doctors, and(eq(doctors.id, practices.doctorId), listedDoctor(doctors)))
    .where(and(eq(practices.state, "active"), or(isNull(practices.openedUntil), lt(practices.openedUntil, last))));
  let opened = 0;
  await forEachAlone(behind, async ({ id }) => {
    opened += await transact(ctx, async (tx) => {
      await lockSchedule(tx, id);
      return openDays(tx, id);
    });
  });
  if (opened) await recordChange(ctx, "open-days", {});
  return opened;
}
