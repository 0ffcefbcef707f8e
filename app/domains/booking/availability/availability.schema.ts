import { z } from "zod";
import { addDays, dayFirst, isDateKey, isTimeKey, parseTime } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { EVENING_TIMES, lastBookableDate, SLOT_TIMES } from "./slots.ts";

/** A slot as "10:30", "10:30 AM" or "10:30:00"; one of the eighteen. */
const slot = z
  .string()
  .transform((text) => parseTime(text) ?? "")
  .refine((time) => SLOT_TIMES.includes(time), { error: () => m.availability_slot_unknown() });
/** A time of a practice that the caller names: any time, in steps of five minutes. */
const anyTime = z
  .string()
  .transform((text) => parseTime(text) ?? "")
  .refine((time) => isTimeKey(time) && Number(time.slice(3)) % 5 === 0, { error: () => m.availability_time_malformed() });
/** A time of the week's grid. */
const weekTime = z
  .string()
  .transform((text) => parseTime(text) ?? "")
  .refine((time) => SLOT_TIMES.includes(time) || EVENING_TIMES.includes(time), { error: () => m.availability_slot_unknown() });
const timesOf = (time: typeof slot) =>
  z.array(time, { error: () => m.availability_slot_missing() }).transform((times) => [...new Set(times)].sort());
const slots = timesOf(slot);
const some = (times: typeof slots, error: () => string) => times.refine((list) => list.length > 0, { error });
const someSlots = some(slots, () => m.availability_slot_missing());

/** Spec 000 §5: required, a valid date, from today to six months ahead. */
const dateFrom = (today: string) =>
  z
    .string({ error: () => m.availability_date_required() })
    .min(1, { error: () => m.availability_date_required() })
    .overwrite(plainDigits)
    .refine(isDateKey, { error: () => m.availability_date_malformed() })
    .refine((date) => !isDateKey(date) || date >= today, { error: () => m.availability_date_past() })
    .refine((date) => !isDateKey(date) || date <= lastBookableDate(today), { error: () => m.availability_date_far() });

/** The API's days of a practice that the caller names. @param today in India */
export const practiceDaySchema = (today: string) =>
  z.object({ date: dateFrom(today), slots: some(timesOf(anyTime), () => m.availability_slot_missing()) });
/** The API's times of one such day. */
export const PracticeTimesSchema = z.object({ slots: some(timesOf(anyTime), () => m.availability_change_missing()) });

/** /doctor/availability/add. @param today in India */
export const addDaySchema = (today: string) => z.object({ date: dateFrom(today), slots: someSlots });
/** /doctor/availability/change/{date}: replaces the day's slots. */
export const ChangeDaySchema = z.object({
  slots: some(slots, () => m.availability_change_missing()),
});

/** /doctor/availability/week: opens a time of a practice, closes any time, or copies the week before. */
export const weekChangeSchema = (today: string) =>
  z.discriminatedUnion("intent", [
    z.object({ intent: z.literal("open"), date: dateFrom(today), time: weekTime, practiceId: z.uuid().optional() }),
    z.object({ intent: z.literal("close"), date: dateFrom(today), time: z.string().refine(isTimeKey) }),
    z.object({ intent: z.literal("copy") }),
  ]);

const MAX_SPAN = 186;
/** The weekly pattern: these slots on these weekdays from one day to another, except leave days. */
export const patternSchema = (today: string) =>
  z
    .object({
      intent: z.enum(["preview", "apply"]),
      from: dateFrom(today),
      until: dateFrom(today),
      weekdays: z
        .array(z.coerce.number().int().min(0).max(6), { error: () => m.availability_weekday_missing() })
        .min(1, { error: () => m.availability_weekday_missing() }),
      slots: someSlots,
      /** Leave days as typed, day or year first: dates separated by spaces, commas or lines. */
      except: z
        .string()
        .max(4000)
        .default("")
        .transform((text) =>
          plainDigits(text)
            .split(/[\s,;]+/)
            .filter(Boolean)
            .map(dayFirst),
        )
        .refine((days) => days.every(isDateKey), { error: () => m.availability_leave_malformed() }),
    })
    .refine((p) => !isDateKey(p.from) || !isDateKey(p.until) || p.from <= p.until, {
      path: ["until"],
      error: () => m.availability_until_early(),
    })
    .refine((p) => !isDateKey(p.from) || addDays(p.from, MAX_SPAN) >= p.until, { path: ["until"], error: () => m.availability_date_far() });
