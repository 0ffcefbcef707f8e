import { z } from "zod";
import { type ProposedTime, parseTimeValue } from "#app/domains/booking/appointments/proposal-times.ts";
import { HospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { InviteMemberSchema } from "#app/domains/places/members/members.schema.ts";
import { CANCEL_REASONS } from "#app/domains/visit-reasons.ts";
import { addDays, type DateKey, dayFirst, isDateKey, isTimeKey, weekdayLong } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { fromRupees, paise, parseRupees } from "#app/lib/money.ts";
import { PRACTICE_MODES, SLOT_LENGTHS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { BOOKED_CHOICES } from "./coming-visit.ts";
import { copyToWeekdays, isEmptyDay, MAX_SEATS, MAX_TOKENS, SPANS, type Span } from "./hours.ts";

/** Most rupees of a fee, as in the doctor's profile. */
const MAX_FEE = 100_000;

const wholeNumber = (error: () => string) =>
  z
    .string({ error })
    .overwrite((text) => plainDigits(text).trim())
    .regex(/^\d{1,6}$/, { error })
    .transform(Number);

/** Rupees as typed, in paise; empty: the fee of the profile. */
const fee = z
  .string()
  .optional()
  .transform((text) => plainDigits(text ?? "").trim())
  .transform((text) => (text === "" ? null : (parseRupees(text) ?? paise(-1))))
  .refine((amount) => amount === null || (amount >= 0 && amount % 100 === 0 && amount <= fromRupees(MAX_FEE)), {
    error: () => m.practices_fee_malformed(),
  });

const terms = {
  slotMinutes: wholeNumber(() => m.practices_length_missing()).refine((n) => (SLOT_LENGTHS as readonly number[]).includes(n), {
    error: () => m.practices_length_missing(),
  }),
  patientsPerSlot: wholeNumber(() => m.practices_seats_malformed()).refine((n) => n >= 1 && n <= MAX_SEATS, {
    error: () => m.practices_seats_malformed(),
  }),
};
const tokens = () => m.practices_session_seats_malformed();
/** /doctor/practices/{id}. The first practice ignores `fee`: it has that of the profile. */
export const PracticeSchema = z
  .object({
    fee,
    ...terms,
    /** Missing in forms of a page opened before: stays as it is. */
    mode: z.enum(PRACTICE_MODES, { error: () => m.practices_mode_missing() }).optional(),
    /** The mode when the page was opened. */
    modeShown: z.enum(PRACTICE_MODES).optional().catch(undefined),
    seatsPerSession: wholeNumber(tokens)
      .refine((n) => n >= 1 && n <= MAX_TOKENS, { error: tokens })
      .optional(),
  })
  .refine(({ mode, seatsPerSession }) => mode !== "tokens" || seatsPerSession !== undefined, {
    path: ["seatsPerSession"],
    error: tokens,
  });
/** /doctor/practices/add. */
export const OpenPracticeSchema = z.object({
  hospitalId: z.uuid({ error: () => m.practices_place_missing() }),
  fee,
  ...terms,
});

const phone = HospitalSchema.shape.phone.refine((typed) => typed !== undefined, { error: () => m.practices_own_phone_missing() });

/** /doctor/practices/add/unlisted. */
export const UnlistedPlaceSchema = HospitalSchema.pick({ name: true, address: true, city: true, state: true }).extend({
  phone,
  fee,
  ...terms,
});

/** /doctor/clinic: the doctor's own clinic, and the email of a receptionist to invite. */
export const OpenClinicSchema = HospitalSchema.pick({ name: true, address: true, area: true, city: true, state: true, pinCode: true })
  .extend({
    phone,
    fee,
    receptionist: InviteMemberSchema.shape.name,
    email: z.preprocess(emptyAsNone, InviteMemberSchema.shape.email.optional()),
  })
  .refine(({ receptionist, email }) => !receptionist || email, { path: ["email"], error: () => m.practices_own_email_missing() });

const time = z
  .string()
  .optional()
  .transform((text) =>
    plainDigits(text ?? "")
      .trim()
      .slice(0, 5),
  )
  .refine((text) => text === "" || isTimeKey(text), { error: () => m.practices_time_malformed() });

/**
 * /doctor/practices/{id}/hours: `hours[n]` is span `n % 3` of weekday `n / 3`, Sunday first. Two empty times: no span. `days`: the form has a box for each
 * weekday, and `open` those that are ticked: the times of the others do not count, and a ticked one needs times. `copy-1` copies Monday and saves nothing.
 * Returns the spans in order.
 */
export const HoursSchema = z
  .object({
    hours: z.array(z.object({ from: time, until: time })).max(7 * SPANS),
    days: z.literal("on").optional(),
    open: z.preprocess((list) => (Array.isArray(list) ? list : [list ?? []].flat()), z.array(z.coerce.number().int().min(0).max(6)).max(7)),
    intent: z.enum(["save", "copy-0", "copy-1", "copy-2", "copy-3", "copy-4", "copy-5", "copy-6"]).default("save"),
  })
  .transform(({ hours: typed, days, open, intent: pressed }, context) => {
    const fail = (n: number, field: "from" | "until", problem: string) =>
      context.addIssue({
        code: "custom",
        path: ["hours", n, field],
        message: m.practices_hours_of_day({ day: weekdayLong(Math.floor(n / SPANS)), problem }),
      });
    const hours = typed.map((span, n) => (days && !open.includes(Math.floor(n / SPANS)) ? { from: "", until: "" } : span));
    const copied = pressed === "save" ? null : Number(pressed.at(-1));
    for (const day of copied === null ? (days ? open : []) : [copied])
      if (isEmptyDay(hours, day)) fail(day * SPANS, "from", m.practices_time_missing());
    if (copied !== null) return { intent: "copy" as const, ...copyToWeekdays(hours, open, copied) };
    const spans: Span[] = [];
    for (const [n, { from, until }] of hours.entries()) {
      const weekday = Math.floor(n / SPANS);
      if (!from && !until) continue;
      if (!from || !until) fail(n, from ? "until" : "from", m.practices_time_missing());
      else if (from >= until) fail(n, "until", m.practices_time_order());
      else if (spans.some((s) => s.weekday === weekday && s.from < until && from < s.until)) fail(n, "from", m.practices_time_overlap());
      else spans.push({ weekday, from, until });
    }
    return { intent: "save" as const, spans: spans.sort((a, b) => a.weekday - b.weekday || (a.from < b.from ? -1 : 1)) };
  });

/** What becomes of the appointments on a page. `moves`: "{id} {date} {time}" for each, of which the last counts. `choose`, `otherDay`: `readChoosing`. */
const settlement = {
  choose: z.string().max(60).optional(),
  otherDay: z.string().max(20).optional(),
  visits: z.array(z.uuid()).max(2000).default([]),
  moves: z
    .array(z.string())
    .max(2000)
    .default([])
    .transform(
      (rows) =>
        new Map(
          rows.flatMap((row): [string, ProposedTime][] => {
            const [id = "", ...at] = row.split(" ");
            const time = parseTimeValue(at.join(" "));
            return time ? [[id, time]] : [];
          }),
        ),
    ),
  reason: z.enum(CANCEL_REASONS).default(CANCEL_REASONS[0]),
};

/** A leave may end so many days from today at most. */
const LEAVE_DAYS = 366;

const leaveDate = (today: DateKey) =>
  z
    .string({ error: () => m.availability_date_required() })
    .min(1, { error: () => m.availability_date_required() })
    .transform((text) => dayFirst(plainDigits(text).trim()))
    .refine(isDateKey, { error: () => m.availability_date_malformed() })
    .refine((date) => !isDateKey(date) || date >= today, { error: () => m.availability_date_past() })
    .refine((date) => !isDateKey(date) || date <= addDays(today, LEAVE_DAYS), { error: () => m.practices_leave_far() });

/** /doctor/leave/add. `look` lists the appointments in the leave, `enter` enters it. @param today in India */
export const leaveSchema = (today: DateKey) =>
  z
    .object({
      /** A choice of a time has none. */
      intent: z.enum(["look", "enter"]).default("look"),
      from: leaveDate(today),
      until: leaveDate(today),
      /** Empty: in every practice. */
      practiceId: z
        .union([z.literal(""), z.uuid()], { error: () => m.practices_place_missing() })
        .optional()
        .transform((id) => id || null),
      /** The doctor's own note. */
      note: z
        .string()
        .trim()
        .max(200, { error: () => m.practices_note_long() })
        .optional()
        .transform((text) => text || null),
      ...settlement,
      booked: z.enum(BOOKED_CHOICES).default("keep"),
    })
    .refine((leave) => leave.from <= leave.until, { path: ["until"], error: () => m.availability_until_early() });

/** /doctor/practices/{id}/close. */
export const ClosePracticeSchema = z.object({
  ...settlement,
  booked: z.enum(BOOKED_CHOICES).exclude(["keep"]).default("cancel"),
});
