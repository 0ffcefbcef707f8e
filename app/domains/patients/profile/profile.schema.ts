import { z } from "zod";
import { ageOn, type DateKey, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const emptyAsNone = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);

/** A birth date of a form: a valid date, today or earlier, within 120 years. */
const birthDateOn = (today: DateKey) =>
  z
    .string()
    .trim()
    .overwrite(plainDigits)
    .refine((date) => isDateKey(date) && date <= today && ageOn(date, today) <= 120, { error: () => m.own_birth_invalid() });

/**
 * /patient/profile/edit (spec 001 §2.15). The phone is read-only there. `photo`: a file of this post. `photoReceived`: a file of
 * an earlier post with errors.
 */
export const profileFormOn = (today: DateKey) =>
  z.object({
    name: z
      .string({ error: () => m.own_name_required() })
      .trim()
      .min(1, { error: () => m.own_name_required() })
      .max(120, { error: () => m.own_name_long() }),
    dateOfBirth: z.preprocess(emptyAsNone, birthDateOn(today).optional()),
    gender: z.preprocess(
      (value) => (typeof value === "string" ? value.toLowerCase() || undefined : value),
      z.enum(GENDERS, { error: () => m.error_invalid() }).optional(),
    ),
    removePhoto: z.boolean().default(false),
    photoReceived: z.preprocess(emptyAsNone, z.string().max(36).optional()),
    photo: z.preprocess(emptyAsNone, z.string().max(36).optional()),
  });
export type ProfileForm = z.output<ReturnType<typeof profileFormOn>>;
