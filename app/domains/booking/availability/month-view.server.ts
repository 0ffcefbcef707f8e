import type { Ctx } from "#app/domains/context.server.ts";
import { firstChangeable, type Minute } from "#app/domains/visit-time.ts";
import { addDays, addMonths, addToMonth, type DateKey, isDateKey, isMonthKey, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { listLeaveDays } from "./leave-days.server.ts";
import { type DayLoad, type DaySlot, findFirstFreeDate, listDayLoad, listDaySlots, listMonthLoad } from "./queries.server.ts";
import { lastBookableDate } from "./slots.ts";

/** The strip shows today and the six days after it. */
const DAYS = 7;

/** Data of a page for choosing a day and a slot. */
export type MonthView = {
  today: DateKey;
  /** The days of the next week that have slots. */
  strip: DayLoad[];
  /** The days of the next week without slots on which the doctor is on leave. */
  away: DateKey[];
  /** The month, and its days that have slots. Null: the strip alone. */
  month: { key: string; days: DayLoad[]; previous: string | null; next: string | null } | null;
  /** The chosen day, or the first free one. */
  date: DateKey | null;
  /** Slots of the day that have not started. */
  slots: (DaySlot & { state: "free" | "booked" })[];
  /** All slots of the day have started. */
  isOver: boolean;
  /** The first visit that a patient may still change. */
  changeableFrom: Minute;
};

/**
 * Parses `?month=` and `?date=`. Shows the month when it is asked for, and when the chosen day is not in the next week. Starts at the first
 * free day for malformed, past or too late values.
 * @param practiceId only the slots of one practice
 */
export async function getMonthView(
  ctx: Ctx,
  doctorId: string,
  asked: { month: string | null; date: string | null },
  practiceId?: string,
): Promise<MonthView> {
  const today = todayInIndia(ctx.now);
  const last = lastBookableDate(today);
  const reachable = (date: string | null): date is DateKey => date !== null && isDateKey(date) && date >= today && date <= last;
  const inReach = (month: string | null): month is string =>
    month !== null && isMonthKey(month) && month >= monthOf(today) && month <= monthOf(last);
  const endOfStrip = addDays(today, DAYS - 1);
  const chosenMonth = inReach(asked.month) ? asked.month : null;
  const wished = reachable(asked.date) && (!chosenMonth || monthOf(asked.date) === chosenMonth) ? asked.date : null;
  const strip = await listDayLoad(ctx, doctorId, { from: today, to: endOfStrip }, practiceId);
  const without = daysFrom(today).filter((day) => !strip.some(({ date }) => date === day));
  // Without a practice: the first one, which has the id of its doctor.
  const away = await listLeaveDays(ctx, { doctorId, practiceId: practiceId ?? doctorId }, without);
  const firstFree = async () => {
    const first = firstFreeOf(strip) ?? (await findFirstFreeDate(ctx, doctorId, practiceId));
    return first && first <= last ? first : null;
  };
  const start = wished ?? (chosenMonth ? null : await firstFree());
  const key = chosenMonth ?? (start !== null && start <= endOfStrip ? null : monthOf(start ?? today));
  const days = key === null ? [] : await listMonthLoad(ctx, doctorId, key, practiceId);
  const date = start ?? firstFreeOf(days);
  const slots = date ? await listDaySlots(ctx, doctorId, date, practiceId) : [];
  const ahead = slots.filter((slot): slot is MonthView["slots"][number] => slot.state !== "past");
  return {
    today,
    strip,
    away,
    month: key === null ? null : { key, days, ...neighbours(key, today) },
    date,
    slots: ahead,
    isOver: slots.length > 0 && ahead.length === 0,
    changeableFrom: firstChangeable(ctx.now),
  };
}

/** Today and the six days after it. */
const daysFrom = (today: DateKey) => Array.from({ length: DAYS }, (_, i) => addDays(today, i));

const firstFreeOf = (days: DayLoad[]) => days.find((day) => day.free > 0)?.date ?? null;

const neighbours = (month: string, today: DateKey) => ({
  previous: month > monthOf(today) ? addToMonth(month, -1) : null,
  next: month < monthOf(addMonths(today, 6)) ? addToMonth(month, 1) : null,
});
