import type { Ctx } from "#app/domains/context.server.ts";
import { addMonths, addToMonth, type DateKey, isDateKey, isMonthKey, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { type DayLoad, type DaySlot, listDaySlots, listMonthLoad } from "./queries.server.ts";
import { lastBookableDate } from "./slots.ts";

/** Data of a page for choosing a day and a slot. */
export type MonthView = {
  month: string;
  today: DateKey;
  days: DayLoad[];
  /** The chosen day, or the first free one of the month. */
  date: DateKey | null;
  slots: DaySlot[];
  previous: string | null;
  next: string | null;
};

/** Parses `?month=` and `?date=`. Uses the first month with a free day for malformed, past or too late values. */
export async function getMonthView(ctx: Ctx, doctorId: string, asked: { month: string | null; date: string | null }): Promise<MonthView> {
  const today = todayInIndia(ctx.now);
  const last = lastBookableDate(today);
  const reachable = (date: string | null): date is DateKey => date !== null && isDateKey(date) && date >= today && date <= last;
  const inReach = (month: string | null): month is string =>
    month !== null && isMonthKey(month) && month >= monthOf(today) && month <= monthOf(last);
  const wished = reachable(asked.date) ? asked.date : null;
  const chosenMonth = inReach(asked.month) ? asked.month : wished ? monthOf(wished) : null;
  let month = chosenMonth ?? monthOf(today);
  let days = await listMonthLoad(ctx, doctorId, month);
  if (!chosenMonth && !days.some((d) => d.free > 0)) {
    const following = addToMonth(month, 1);
    const more = await listMonthLoad(ctx, doctorId, following);
    if (more.some((d) => d.free > 0)) [month, days] = [following, more];
  }
  const date = wished && monthOf(wished) === month ? wished : (days.find((d) => d.free > 0)?.date ?? null);
  return {
    month,
    today,
    days,
    date,
    slots: date ? await listDaySlots(ctx, doctorId, date) : [],
    previous: month > monthOf(today) ? addToMonth(month, -1) : null,
    next: month < monthOf(addMonths(today, 6)) ? addToMonth(month, 1) : null,
  };
}
