import { z } from "zod";
import { ageField, birthDateField } from "#app/domains/platform/users/age.schema.ts";
import { isDateKey } from "#app/lib/dates.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { DAYS_AHEAD } from "./rules.ts";

const required = () => m.appointments_fill_required();
const listed = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** The form of joining. Doctor, day and appointment are in the address. */
export const JoinFormSchema = z.object({
  /** "me", or the id of a family member. Not asked with an appointment. */
  who: z.union([z.literal("me"), z.uuid()], { error: () => m.waitlist_who_gone() }).default("me"),
  name: z.preprocess(
    emptyAsNone,
    z
      .string()
      .trim()
      .max(MAX_LINE, { error: () => m.appointments_too_long() })
      .optional(),
  ),
  age: ageField,
  dateOfBirth: birthDateField,
  gender: z.preprocess(emptyAsNone, z.enum(GENDERS, { error: required }).optional()),
  days: z.coerce
    .number({ error: required })
    .pipe(z.union(DAYS_AHEAD.map((n) => z.literal(n)) as [z.ZodLiteral<0>, z.ZodLiteral<7>, z.ZodLiteral<30>], { error: required })),
  parts: z.preprocess(listed, z.array(z.enum(["morning", "afternoon", "evening"])).max(3)),
  sms: z.boolean().default(false),
});
export type JoinForm = z.output<typeof JoinFormSchema>;

/** The address of the form. */
export const JoinAddressSchema = z.object({
  doctorId: z.uuid(),
  date: z.string().refine(isDateKey).optional().catch(undefined),
  practiceId: z.uuid().optional().catch(undefined),
  appointment: z.uuid().optional().catch(undefined),
});
export type JoinWaitlist = JoinForm & z.output<typeof JoinAddressSchema>;

/** The buttons of the list. `id`: the offer, or the entry to leave. */
export const AnswerSchema = z.object({ intent: z.enum(["take", "pass", "leave"]), id: z.uuid() });
