import { and, asc, eq, gte, lte, ne } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { listLeaveDays } from "#app/domains/booking/availability/leave-days.server.ts";
import { listSlotsBetween } from "#app/domains/booking/availability/queries.server.ts";
import { lastBookableDate } from "#app/domains/booking/availability/slots.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { WeekDay } from "./week.ts";

/** Returns the acting doctor's seven days from a Monday on. */
export async function getWeek(ctx: Ctx<Actor>, monday: DateKey): Promise<WeekDay[]> {
  const doctorId = ctx.actor.userId;
  const today = todayInIndia(ctx.now);
  const last = lastBookableDate(today);
  const dates = Array.from({ length: 7 }, (_, i) => addDays(monday, i));
  const sunday = addDays(monday, 6);
  const [slots, booked, leave] = await Promise.all([
    listSlotsBetween(ctx, monday, sunday),
    ctx.db
      .select({ id: appointments.id, date: appointments.date, time: appointments.time, name: appointments.patientName })
      .from(appointments)
      .where(
        and(
          eq(appointments.doctorId, doctorId),
          gte(appointments.date, monday),
          lte(appointments.date, sunday),
          ne(appointments.status, "cancelled"),
        ),
      )
      .orderBy(asc(appointments.date), asc(appointments.time), asc(appointments.id)),
    // The id of a doctor's first practice is the doctor's.
    listLeaveDays(ctx, { doctorId, practiceId: doctorId }, dates),
  ]);
  return dates.map((date) => ({
    date,
    slots: slots.get(date) ?? [],
    booked: booked
      .filter((row) => row.date === date)
      .map(({ id, time, name }) => ({ id, time: time.slice(0, 5), name: patientNameWord(name) })),
    closed: date < today ? "past" : date > last ? "far" : leave.includes(date) ? "leave" : null,
  }));
}
