import { and, eq, inArray, notInArray } from "drizzle-orm";
import { appointments, availabilitySlots, doctors } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { type DateKey, isDateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { notifyPagesChanged } from "#app/realtime/channels.server.ts";
import type { DaySlots } from "./weekly-pattern.ts";

/** Details of a conflict: the appointments on slots that were to be removed. */
export type BookedSlots = { booked: { id: string; patientName: string; time: TimeKey }[] };

/** Adds slots to days of the acting doctor. Existing slots stay. @returns how many were new */
export function addSlots(ctx: Ctx<Actor>, days: DaySlots[]): Promise<number> {
  const rows = days.flatMap(({ date, times }) => times.map((time) => ({ doctorId: ctx.actor.userId, date, time })));
  return transact(ctx, async (tx) => {
    await alone(tx);
    let added = 0;
    // In batches: a statement takes at most 65,534 parameters.
    for (let i = 0; i < rows.length; i += 1000) {
      const inserted = await tx.db
        .insert(availabilitySlots)
        .values(rows.slice(i, i + 1000))
        .onConflictDoNothing()
        .returning({ time: availabilitySlots.time });
      added += inserted.length;
    }
    await notifyOfChange(tx, "add-availability", { days: days.length, slots: added });
    return added;
  });
}

/**
 * Replaces the slots of the acting doctor's day; an empty list removes the day. Changes nothing if a slot to remove has a live
 * appointment.
 * @throws DomainError("conflict") with these appointments
 */
export function setDaySlots(ctx: Ctx<Actor>, input: { date: DateKey; slots: TimeKey[] }): Promise<void> {
  const { date, slots } = input;
  const doctorId = ctx.actor.userId;
  if (!isDateKey(date) || date < todayInIndia(ctx.now)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (tx) => {
    await alone(tx);
    const day = and(eq(availabilitySlots.doctorId, doctorId), eq(availabilitySlots.date, date));
    // The deletion waits for a booking that has locked the slot. The next statement then reads that booking.
    const removed = await tx.db
      .delete(availabilitySlots)
      .where(and(day, slots.length ? notInArray(availabilitySlots.time, slots) : undefined))
      .returning({ time: availabilitySlots.time });
    if (removed.length) {
      const booked = await tx.db
        .select({ id: appointments.id, patientName: appointments.patientName, time: appointments.time })
        .from(appointments)
        .where(
          and(
            eq(appointments.doctorId, doctorId),
            eq(appointments.date, date),
            inArray(
              appointments.time,
              removed.map((r) => r.time),
            ),
            openVisit(appointments),
          ),
        )
        .orderBy(appointments.time);
      if (booked.length) {
        const detail: BookedSlots = { booked: booked.map((b) => ({ ...b, time: b.time.slice(0, 5) })) };
        throw new DomainError("conflict", m.availability_booked(), { detail });
      }
    }
    if (slots.length)
      await tx.db
        .insert(availabilitySlots)
        .values(slots.map((time) => ({ doctorId, date, time })))
        .onConflictDoNothing();
    await notifyOfChange(tx, slots.length ? "change-availability" : "delete-availability", {
      date,
      slots: slots.length,
      removed: removed.length,
    });
  });
}

/** Serializes changes of a doctor's slots: two tabs would deadlock. This lock mode does not block bookings. */
async function alone(tx: Ctx<Actor>): Promise<void> {
  await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, tx.actor.userId)).for("no key update");
}

async function notifyOfChange(tx: Ctx<Actor>, action: string, details: Record<string, unknown>): Promise<void> {
  await recordAudit(tx, { action, subjectType: "doctor", subjectId: tx.actor.userId, personId: tx.actor.userId, details });
  await notifyPagesChanged(tx);
}
