import type { Ctx } from "#app/domains/context.server.ts";
import { firstChangeable, type Minute } from "#app/domains/visit-time.ts";
import { addMonths, addToMonth, type DateKey, isDateKey, isMonthKey, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { type DayLoad, type DaySlot, findFirstFreeDate, listDaySlots, listMonthLoad } from "./queries.server.ts";
import { lastBookableDate } from "./slots.ts";

/** Data of a page for choosing a day and a slot. */
export type MonthView = {
  month: string;
  today: DateKey;
  days: DayLoad[];
  /** The chosen day, or the first free one of the month. */
  date: DateKey | null;
  /** Slots of the day that have not started. */
  slots: (DaySlot & { state: "free" | "booked" })[];
  /** All slots of the day have started. */
  isOver: boolean;
  /** The first visit that a patient may still change. */
  changeableFrom: Minute;
  previous: string | null;
  next: string | null;
};

/**
 * Parses `?month=` and `?date=`. Starts at the first free day for malformed, past or too late values.
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
  const wished = reachable(asked.date) ? asked.date : null;
  const chosenMonth = inReach(asked.month) ? asked.month : wished ? monthOf(wished) : null;
  let month = chosenMonth ?? monthOf(today);
  let days = await listMonthLoad(ctx, doctorId, month, practiceId);
  if (!chosenMonth && !days.some((d) => d.free > 0)) {
    const first = await findFirstFreeDate(ctx, doctorId, practiceId);
    if (first && first <= last) {
      month = monthOf(first);
      days = await listMonthLoad(ctx, doctorId, month, practiceId);
    }
  }
  const date = wished && monthOf(wished) === month ? wished : (days.find((d) => d.free > 0)?.date ?? null);
  const slots = date ? await listDaySlots(ctx, doctorId, date, practiceId) : [];
  const ahead = slots.filter((slot): slot is MonthView["slots"][number] => slot.state !== "past");
  return {
    month,
    today,
    days,
    date,
    slots: ahead,
    isOver: slots.length > 0 && ahead.length === 0,
    changeableFrom: firstChangeable(ctx.now),
    previous: month > monthOf(today) ? addToMonth(month, -1) : null,
    next: month < monthOf(addMonths(today, 6)) ? addToMonth(month, 1) : null,
  };
}
