import { and, eq, inArray, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, doctors, practiceDays, practices } from "#app/db/schema/index.ts";
import { lockWaitlist } from "#app/domains/booking/waitlist/lock.server.ts";
import { settleWaitlist } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { type DateKey, formatDay, formatTime, isDateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { listLeaveDays } from "./leave-days.server.ts";
import type { DaySlots } from "./weekly-pattern.ts";

/** Details of a conflict: the appointments on slots that were to be removed. */
export type BookedSlots = { booked: { id: string; patientName: string; time: TimeKey }[] };

/** The practice to open times for. Default: the doctor's first. */
type OfPractice = { practiceId?: string | undefined };

/**
 * Adds slots to days of the acting doctor. Existing slots stay. The weekly hours leave these days alone from then on.
 * @returns how many were new
 * @throws DomainError("not-found" | "conflict" for a day of leave, or while the doctor is in another place)
 */
export function addSlots(ctx: Ctx<Actor>, days: DaySlots[], of: OfPractice = {}): Promise<number> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const practice = await openPractice(tx, of);
    const rows = days.flatMap(({ date, times }) => times.map((time) => ({ ...practice, date, time })));
    await refuseLeave(
      tx,
      practice,
      days.map(({ date }) => date),
    );
    await changedByHand(
      tx,
      practice,
      days.map(({ date }) => date),
    );
    let added = 0;
    // In batches: a statement takes at most 65,534 parameters.
    for (let i = 0; i < rows.length; i += 1000) {
      added += await insertSlots(tx, rows.slice(i, i + 1000));
    }
    if (of.practiceId)
      await refuseOverlaps(
        tx,
        practice,
        days.map(({ date }) => date),
      );
    await recordTimes(tx, "add-availability", { days: days.length, slots: added });
    return added;
  });
}

/**
 * Replaces the slots of the acting doctor's day in a practice; an empty list removes the day. Changes nothing if a slot to remove has a
 * live appointment. The weekly hours leave the day alone from then on.
 * @throws DomainError("not-found" | "conflict" with these appointments, for a day of leave, or while the doctor is in another place)
 */
export function setDaySlots(ctx: Ctx<Actor>, input: { date: DateKey; slots: TimeKey[] } & OfPractice): Promise<void> {
  const { date, slots } = input;
  const doctorId = ctx.actor.userId;
  if (!isDateKey(date) || date < todayInIndia(ctx.now)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const practice = await openPractice(tx, input);
    if (slots.length) await refuseLeave(tx, practice, [date]);
    await changedByHand(tx, practice, [date]);
    const day = and(
      eq(availabilitySlots.doctorId, doctorId),
      eq(availabilitySlots.practiceId, practice.practiceId),
      eq(availabilitySlots.date, date),
    );
    const removed = await deleteSlots(tx, date, and(day, slots.length ? notInArray(availabilitySlots.time, slots) : undefined));
    if (slots.length)
      await insertSlots(
        tx,
        slots.map((time) => ({ ...practice, date, time })),
      );
    if (input.practiceId) await refuseOverlaps(tx, practice, [date]);
    await recordTimes(tx, slots.length ? "change-availability" : "delete-availability", {
      date,
      slots: slots.length,
      removed: removed.length,
    });
  });
}

/**
 * Removes one slot of the acting doctor, in whichever practice it is. Idempotent: a slot that is gone is no error. Unlike `setDaySlots` it
 * names the slot, so that two tabs that close different slots do not undo each other.
 * @throws DomainError("not-found" for a past day | "conflict" with the live appointments on the slot)
 */
export function closeSlot(ctx: Ctx<Actor>, { date, time }: { date: DateKey; time: TimeKey }): Promise<void> {
  const doctorId = ctx.actor.userId;
  if (!isDateKey(date) || date < todayInIndia(ctx.now)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const [removed] = await deleteSlots(
      tx,
      date,
      and(eq(availabilitySlots.doctorId, doctorId), eq(availabilitySlots.date, date), eq(availabilitySlots.time, time)),
    );
    if (!removed) return;
    await changedByHand(tx, removed, [date]);
    await recordTimes(tx, "change-availability", { date, slots: 0, removed: 1 });
  });
}

/**
 * Removes the time of an appointment that was just cancelled for its doctor, unless it gives tokens or another patient has it too. In the transaction
 * of the cancellation, which has locked the schedule and ends with `settleWaitlist`.
 */
export async function closeFreedTime(tx: Ctx<Actor>, of: { doctorId: string; date: DateKey; time: TimeKey }): Promise<void> {
  const at = sql`${availabilitySlots.doctorId} = ${of.doctorId} and ${availabilitySlots.date} = ${of.date} and ${availabilitySlots.time} = ${of.time}`;
  const [removed] = await tx.db
    .delete(availabilitySlots)
    .where(
      sql`${at} and not ${availabilitySlots.tokens} and not exists (select from ${appointments} where ${appointments.doctorId} = ${of.doctorId}
        and ${appointments.date} = ${of.date} and ${appointments.time} = ${of.time} and ${openVisit(appointments)})`,
    )
    .returning({ practiceId: availabilitySlots.practiceId });
  if (!removed) return;
  await changedByHand(tx, removed, [of.date]);
  await recordChange(tx, "change-availability", { people: { doctor: of.doctorId }, details: { date: of.date, slots: 0, removed: 1 } });
}

/**
 * Deletes slots of the acting doctor on a day.
 * @throws DomainError("conflict") with the live appointments on them
 */
async function deleteSlots(tx: Ctx<Actor>, date: DateKey, which: SQL | undefined) {
  // The deletion waits for a booking that has locked the slot. The next statement then reads that booking.
  const removed = await tx.db
    .delete(availabilitySlots)
    .where(which)
    .returning({ time: availabilitySlots.time, practiceId: availabilitySlots.practiceId, tokens: availabilitySlots.tokens });
  // The weekly hours would not open it again.
  if (removed.some(({ tokens }) => tokens)) throw new DomainError("conflict", m.availability_gives_tokens());
  if (!removed.length) return removed;
  const times = removed.map(({ time }) => time);
  const booked = await tx.db
    .select({ id: appointments.id, patientName: appointments.patientName, time: appointments.time })
    .from(appointments)
    .where(
      and(
        eq(appointments.doctorId, tx.actor.userId),
        eq(appointments.date, date),
        inArray(appointments.time, times),
        openVisit(appointments),
      ),
    )
    .orderBy(appointments.time);
  if (booked.length) {
    const detail: BookedSlots = { booked: booked.map((b) => ({ ...b, time: b.time.slice(0, 5) })) };
    throw new DomainError("conflict", m.availability_booked(), { detail });
  }
  return removed;
}

type Slot = { doctorId: string; practiceId: string; minutes: number; seats: number; date: DateKey; time: TimeKey };

/**
 * Inserts slots that the practice does not have yet.
 * @throws DomainError("conflict") when the doctor is in another place at one of these times
 */
async function insertSlots(tx: Ctx<Actor>, rows: Slot[]): Promise<number> {
  // ON CONFLICT names the key: the exclusion constraint of two places must be heard. The key is shared by the practices of a doctor.
  const elsewhere = await tx.db
    .select({ date: availabilitySlots.date, time: availabilitySlots.time })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, rows[0]!.doctorId),
        ne(availabilitySlots.practiceId, rows[0]!.practiceId),
        sql`(${availabilitySlots.date}, ${availabilitySlots.time}) in (select r.date, r.time from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(date date, time time))`,
      ),
    )
    .limit(1);
  const [first] = elsewhere;
  if (first) throw new DomainError("conflict", m.availability_elsewhere({ date: formatDay(first.date), time: formatTime(first.time) }));
  try {
    const inserted = await tx.db
      .insert(availabilitySlots)
      .values(rows)
      .onConflictDoNothing({ target: [availabilitySlots.doctorId, availabilitySlots.date, availabilitySlots.time] })
      .returning({ time: availabilitySlots.time });
    return inserted.length;
  } catch (error) {
    if (violatedConstraint(error) === "availability_one_place_at_a_time")
      throw new DomainError("conflict", m.availability_elsewhere_overlaps());
    throw error;
  }
}

/**
 * Returns the slot values of an active practice of the acting doctor.
 * @throws DomainError("not-found" | "conflict" for one that is closed, that its place has not accepted, or that gives tokens)
 */
async function openPractice(tx: Ctx<Actor>, { practiceId }: OfPractice) {
  const doctorId = tx.actor.userId;
  const [practice] = await tx.db
    .select({
      practiceId: practices.id,
      minutes: practices.slotMinutes,
      seats: practices.patientsPerSlot,
      state: practices.state,
      mode: practices.mode,
    })
    .from(practices)
    .where(and(eq(practices.id, practiceId ?? doctorId), eq(practices.doctorId, doctorId)));
  const refused = (code: "not-found" | "conflict", sentence: string) =>
    new DomainError(code, sentence, { fields: { practiceId: [sentence] } });
  if (!practice) throw refused("not-found", m.availability_place_unknown());
  const { state, mode, ...values } = practice;
  if (mode === "tokens") throw refused("conflict", m.availability_gives_tokens());
  if (state === "closed") throw refused("conflict", m.availability_place_closed());
  if (state === "asked") throw refused("conflict", m.availability_place_waiting());
  return { doctorId, ...values };
}

/** @throws DomainError("conflict") when one of the days is in a leave */
async function refuseLeave(tx: Ctx<Actor>, of: { doctorId: string; practiceId: string }, dates: DateKey[]): Promise<void> {
  const [away] = await listLeaveDays(tx, of, dates);
  if (away) throw new DomainError("conflict", m.availability_on_leave({ date: formatDay(away) }));
}

/** Refuses times of one practice that overlap. Only callers that name a practice can set other times than the eighteen. @throws DomainError("conflict") */
async function refuseOverlaps(
  tx: Ctx<Actor>,
  { doctorId, practiceId, minutes }: Omit<Slot, "date" | "time">,
  dates: DateKey[],
): Promise<void> {
  const next = sql`lead(${availabilitySlots.time}) over (partition by ${availabilitySlots.date} order by ${availabilitySlots.time})`;
  const times = tx.db
    .select({ gap: sql<number>`${next} - ${availabilitySlots.time} < make_interval(mins => ${availabilitySlots.minutes}::int)`.as("gap") })
    .from(availabilitySlots)
    .where(
      and(eq(availabilitySlots.doctorId, doctorId), eq(availabilitySlots.practiceId, practiceId), inArray(availabilitySlots.date, dates)),
    )
    .as("times");
  const [overlap] = await tx.db.select().from(times).where(sql`${times.gap}`).limit(1);
  if (!overlap) return;
  const sentence = m.availability_overlaps({ minutes });
  throw new DomainError("conflict", sentence, { fields: { slots: [sentence] } });
}

async function changedByHand(tx: Ctx<Actor>, { practiceId }: { practiceId: string }, dates: DateKey[]): Promise<void> {
  const days = [...new Set(dates)].map((date) => ({ practiceId, date, changedAt: tx.now }));
  if (days.length) await tx.db.insert(practiceDays).values(days).onConflictDoNothing();
}

/**
 * Serializes changes of a doctor's slots, and what the waitlist offers of them: two tabs would deadlock. Does not block bookings. The caller ends with
 * `settleWaitlist`.
 */
export async function lockSchedule(tx: Ctx, doctorId: string): Promise<void> {
  await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, doctorId)).for("no key update");
  await lockWaitlist(tx, doctorId);
}

type Kind = "add-availability" | "change-availability" | "delete-availability";
async function recordTimes(tx: Ctx<Actor>, kind: Kind, details: Record<string, unknown>): Promise<void> {
  await recordChange(tx, kind, { people: { doctor: tx.actor.userId }, details });
  await settleWaitlist(tx, tx.actor.userId);
}
