import { addMonths, type DateKey, type TimeKey } from "#app/lib/dates.ts";

/** Spec 000 §5: 18 half-hour slots from 9:00 AM to 5:30 PM, as "HH:mm". */
export const SLOT_TIMES: readonly TimeKey[] = Array.from(
  { length: 18 },
  (_, i) => `${String(9 + Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`,
);
/** Spec 000 §9: bookable dates run from today to six months ahead. */
export const lastBookableDate = (today: DateKey): DateKey => addMonths(today, 6);
/** Evening times, which the week can open beside the eighteen. */
export const EVENING_TIMES: readonly TimeKey[] = ["18:00", "18:30", "19:00", "19:30", "20:00", "20:30"];
