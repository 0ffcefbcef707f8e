import { and, asc, eq, gte, lte, ne } from "drizzle-orm";
import { appointments, availabilitySlots } from "#app/db/schema/index.ts";
import { listLeaveDays } from "#app/domains/booking/availability/leave-days.server.ts";
import { listSlotsBetween } from "#app/domains/booking/availability/queries.server.ts";
import { lastBookableDate } from "#app/domains/booking/availability/slots.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { WeekDay } from "./week.ts";

/** Returns the acting doctor's seven days from a Monday on. @param open the doctor's open practices, the first one first */
export async function getWeek(ctx: Ctx<Actor>, monday: DateKey, open: { id: string; place: string | null }[]): Promise<WeekDay[]> {
  const doctorId = ctx.actor.userId;
  const today = todayInIndia(ctx.now);
  const last = lastBookableDate(today);
  const dates = Array.from({ length: 7 }, (_, i) => addDays(monday, i));
  const sunday = addDays(monday, 6);
  const [slots, others, booked, leave] = await Promise.all([
    listSlotsBetween(ctx, monday, sunday),
    ctx.db
      .select({ date: availabilitySlots.date, time: availabilitySlots.time, practiceId: availabilitySlots.practiceId })
      .from(availabilitySlots)
      .where(
        and(
          eq(availabilitySlots.doctorId, doctorId),
          // The id of a doctor's first practice is the doctor's.
          ne(availabilitySlots.practiceId, doctorId),
          gte(availabilitySlots.date, monday),
          lte(availabilitySlots.date, sunday),
        ),
      ),
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
    Promise.all(
      open.map(async ({ id, place }) => ({ place: place ?? "", days: await listLeaveDays(ctx, { doctorId, practiceId: id }, dates) })),
    ),
  ]);
  const placeOf = new Map(open.map(({ id, place }) => [id, place ?? ""]));
  return dates.map((date) => {
    const away = leave.filter(({ days }) => days.includes(date)).map(({ place }) => place);
    const all = away.length > 0 && away.length === open.length;
    return {
      date,
      slots: slots.get(date) ?? [],
      booked: booked
        .filter((row) => row.date === date)
        .map(({ id, time, name }) => ({ id, time: time.slice(0, 5), name: patientNameWord(name) })),
      closed: date < today ? "past" : date > last ? "far" : all ? "leave" : null,
      elsewhere: Object.fromEntries(
        others.filter((row) => row.date === date).map((row) => [row.time.slice(0, 5), placeOf.get(row.practiceId) ?? ""]),
      ),
      away: all ? [] : away,
    };
  });
}
