import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { availabilitySlots, doctors, leaves, practiceDays, practiceHours, practices, slotClaims } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { notifyPagesChanged } from "#app/realtime/channels.server.ts";

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
    where p.doctor_id = ${doctorId} and p.state = 'active' and start.at > ${now.date}::date + ${now.time}::time
      and not exists (select from ${practiceDays} c where c.practice_id = p.id and c.date = d.day::date)
      and not exists (select from ${availabilitySlots} s where s.practice_id = p.id and s.doctor_id = p.doctor_id and s.date = d.day::date and not s.from_hours)
      and not exists (select from ${leaves} l where l.doctor_id = p.doctor_id and coalesce(l.practice_id, p.id) = p.id and l.ended_at is null
        and d.day::date between l."from" and l.until)
      and not exists (select from ${availabilitySlots} s where s.doctor_id = p.doctor_id and s.date = d.day::date
        and s.date + s.time < start.at + p.slot_minutes * interval '1 minute' and s.date + s.time + s.minutes * interval '1 minute' > start.at)
    on conflict do nothing
    returning 1`);
  await tx.db
    .update(practices)
    .set({ openedUntil: addDays(today, OPEN_DAYS - 1) })
    .where(and(eq(practices.doctorId, doctorId), eq(practices.state, "active")));
  await settleWaitlist(tx, doctorId);
  return opened.length;
}

/**
 * Replaces the times that the hours of a practice opened: after a change of hours, length or seats. Times with an appointment or an offer stay. The
 * caller has locked the schedule.
 */
export async function reopenDays(tx: Ctx, of: { doctorId: string; practiceId: string }): Promise<void> {
  const coming = and(
    eq(availabilitySlots.doctorId, of.doctorId),
    eq(availabilitySlots.practiceId, of.practiceId),
    startsLater(availabilitySlots, minuteInIndia(tx.now)),
  );
  // Waits for bookings under way. The next statements then see their claims.
  await tx.db.select({ time: availabilitySlots.time }).from(availabilitySlots).where(coming).for("update");
  const claims = sql`from ${slotClaims} c where c.doctor_id = ${availabilitySlots.doctorId} and c.date = ${availabilitySlots.date} and c.time = ${availabilitySlots.time}`;
  await tx.db.delete(availabilitySlots).where(and(coming, eq(availabilitySlots.fromHours, true), sql`not exists (select ${claims})`));
  await tx.db
    .update(availabilitySlots)
    .set({
      seats: sql`greatest((select p.patients_per_slot from practices p where p.id = ${of.practiceId}), coalesce((select max(c.seat) ${claims}), 1))`,
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
  if (opened) await notifyPagesChanged(ctx);
  return opened;
}
