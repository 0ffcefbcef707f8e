import { z } from "zod";
import { phoneWith } from "#app/domains/platform/accounts/accounts.schema.ts";
import { MAX_RECORDS } from "#app/domains/platform/files/upload-limits.ts";
import { ageField, ageRequired, birthDateField, birthDateFirst, isAgeGiven } from "#app/domains/platform/users/age.schema.ts";
import { CANCEL_NOTE, CANCEL_REASONS } from "#app/domains/visit-reasons.ts";
import { isDateKey, isTimeKey, parseTime } from "#app/lib/dates.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { BLOOD_GROUPS, GENDERS, RECORD_TYPES, RELATIONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { DEFAULT_REASON } from "./choices.ts";
import { MAX_OPTIONS, type ProposedTime, parseTimeValue } from "./proposal-times.ts";

const required = () => m.appointments_fill_required();
const long = () => m.appointments_too_long();

/** A date and a slot in a URL or a form. */
export const SlotSchema = z.object({
  date: z.string().refine(isDateKey),
  time: z
    .string()
    .transform((t) => parseTime(t) ?? "")
    .refine(isTimeKey),
});

/** Spec 001 §5, booking details. */
export const PatientDetailSchema = z.object({
  name: z.string({ error: required }).trim().min(1, { error: required }).max(MAX_LINE, { error: long }),
  phone: phoneWith(required, () => m.appointments_phone_invalid()),
  /** One of both is required: `isAgeGiven`. */
  age: ageField,
  dateOfBirth: birthDateField,
  gender: z.preprocess((v) => (typeof v === "string" ? v.toLowerCase() : v), z.enum(GENDERS, { error: required })),
  bloodGroup: z.preprocess(emptyAsNone, z.enum(BLOOD_GROUPS, { error: () => m.error_invalid() }).optional()),
  medicalHistory: z.preprocess(emptyAsNone, z.string().trim().max(2000, { error: long }).optional()),
  note: z.preprocess(emptyAsNone, z.string().trim().max(500, { error: long }).optional()),
  reason: z.preprocess(emptyAsNone, z.string().trim().max(500, { error: long }).default(DEFAULT_REASON)),
});

const RecordSchema = z.object({
  fileId: z.uuid(),
  recordType: z.enum(RECORD_TYPES).default("other"),
  description: z.preprocess(emptyAsNone, z.string().trim().max(200, { error: long }).optional()),
  forWhom: z.string().max(60).optional(),
});
/** Documents received so far. */
const RecordsSchema = z
  .array(RecordSchema)
  .max(MAX_RECORDS, { error: () => m.appointments_too_many_records({ count: String(MAX_RECORDS) }) })
  .default([]);

/** The chosen patient: "me", "new" or the id of a family member. */
const forWhom = z.string().max(60).optional();

/** Created with the form, so that a second press or a retried post finds the first booking. */
const idempotencyKey = z.string().min(8).max(100);

/** The form of step 2: `book`, or `edit` when only documents were added or removed. */
export const BookingFormSchema = birthDateFirst(
  z.discriminatedUnion("intent", [
    z
      .object({
        intent: z.literal("book"),
        ...PatientDetailSchema.shape,
        forWhom,
        records: RecordsSchema,
        idempotencyKey,
        remember: z.boolean().default(false),
        smsUpdates: z.boolean().default(false),
        /** Of the person to remember. Optional in the form. */
        relation: z.preprocess(emptyAsNone, z.enum(RELATIONS, { error: () => m.family_relation_required() }).default("other")),
      })
      .refine(isAgeGiven, ageRequired),
    z.object({ intent: z.literal("edit") }),
  ]),
);
export const BookAppointmentSchema = z.object({
  ...PatientDetailSchema.shape,
  forWhom,
  doctorId: z.uuid(),
  /** The practice that the caller expects the time to be in. */
  practiceId: z.uuid().optional(),
  ...SlotSchema.shape,
  records: RecordsSchema,
  idempotencyKey,
  /** SMS about this appointment, besides a cancellation, which is always sent. */
  smsUpdates: z.boolean().optional(),
});
export type BookAppointment = z.output<typeof BookAppointmentSchema>;

const timeField = (error: () => string) =>
  z
    .string({ error })
    .transform(parseTimeValue)
    .refine((at) => at !== null, { error })
    .transform((at) => at as ProposedTime);
const freeTime = timeField(() => m.proposals_choose());
/** The form for a caller: `find` lists known patients of the phone, or imported ones by a part of the name; `book` books. */
export const BookCallerSchema = birthDateFirst(
  z.discriminatedUnion("intent", [
    z
      .object({ intent: z.literal("find"), ...PatientDetailSchema.pick({ phone: true, name: true }).partial().shape })
      .refine(({ phone, name }) => phone || name, { path: ["phone"], error: () => m.queue_find_missing() }),
    z
      .object({
        intent: z.literal("book"),
        doctorId: z.uuid(),
        at: timeField(() => m.caller_choose_time()),
        ...PatientDetailSchema.pick({ phone: true, name: true, age: true, dateOfBirth: true, gender: true }).shape,
        idempotencyKey: idempotencyKey.max(80),
      })
      .refine(isAgeGiven, ageRequired),
  ]),
);
/** /doctor/patient/{id}/time and /desk/appointments/{id}/move: proposes up to three times, of which empty ones do not count, or moves the appointment to one. */
export const ChangeTimeSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("propose"),
    times: z.preprocess(
      (list) => (Array.isArray(list) ? list : [list]).filter((text) => typeof text === "string" && text !== ""),
      z
        .array(freeTime)
        .min(1, { error: () => m.proposals_choose() })
        .max(MAX_OPTIONS, { error: () => m.proposals_choose() }),
    ),
  }),
  z.object({ intent: z.literal("move"), times: freeTime }),
]);
/** /patient/appointments/{id}/proposal: one of the times, or "none". */
export const AnswerProposalSchema = z.object({
  proposal: z.uuid(),
  answer: z.union([z.literal("none").transform(() => null), freeTime], { error: () => m.proposals_choose() }),
});

/** The reason and the message are read for a cancellation only. */
export const CancelSchema = z.object({
  reason: z.enum(CANCEL_REASONS).optional(),
  note: z
    .string()
    .trim()
    .max(CANCEL_NOTE, { error: () => m.appointments_too_long() })
    .optional(),
});
