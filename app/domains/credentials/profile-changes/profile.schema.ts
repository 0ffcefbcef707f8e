/** The form of /doctor/profile/edit (spec 000 §5). Uses the rules of the application where it has none. */

import { z } from "zod";
import {
  asLine,
  BankStepSchema,
  HospitalStepSchema,
  professionalStepOn,
} from "#app/domains/credentials/application/verification.schema.ts";
import { EDIT_CATEGORIES } from "#app/domains/directory/doctors/edit-categories.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";

const manual = HospitalStepSchema.options[1].shape;
const bank = BankStepSchema.shape;
const MANUAL = ["hospitalName", "hospitalAddress", "contactNumber"] as const;
type Manual = Partial<Record<"hospitalId" | (typeof MANUAL)[number], unknown>>;
/** A hospital that is not listed needs all three fields. Reported together with other errors. */
const wholeHospital = (part: (typeof MANUAL)[number]) =>
  [
    (form: Manual) => Boolean(form.hospitalId || form[part]) || !MANUAL.some((other) => form[other]),
    { error: () => m.application_hospital_incomplete(), path: [part], when: () => true },
  ] as [(form: Manual) => boolean, { error: () => string; path: string[]; when: () => boolean }];
/** "Telugu, English" */
const asList = (value: unknown) =>
  typeof value === "string"
    ? [
        ...new Set(
          value
            .split(/[,;\n]/)
            .map((one) => one.trim())
            .filter(Boolean),
        ),
      ]
    : value;

/** A name in one script: its letters and marks, spaces, full stops, hyphens, apostrophes and joiners. The first is a letter. */
const nameIn = (script: RegExp, wrong: () => string) =>
  z.preprocess(
    asLine,
    z
      .string()
      .max(MAX_LINE, { error: () => m.application_too_long() })
      .regex(script, { error: wrong })
      .optional(),
  );
const TELUGU_NAME = /^(?=\p{L})(?:(?=[\p{L}\p{M}])\p{Script=Telugu}|[ .'’-]|\u200c|\u200d)+$/u;
const HINDI_NAME = /^(?=\p{L})(?:(?=[\p{L}\p{M}])\p{Script=Devanagari}|[ .'’-]|\u200c|\u200d)+$/u;

/** @param today the day in India of the validation */
export function profileFormOn(today: DateKey) {
  const step = professionalStepOn(today).shape;
  return z
    .object({
      /** The version that the page was rendered from, to detect a save made meanwhile. */
      version: z.string().max(40).optional(),
      fullName: step.fullName,
      nameInTelugu: nameIn(TELUGU_NAME, () => m.ownnames_telugu_letters()),
      nameInHindi: nameIn(HINDI_NAME, () => m.ownnames_hindi_letters()),
      primarySpecialization: step.primarySpecialization,
      additionalSpecializations: step.additionalSpecializations,
      category: z.preprocess((value) => EDIT_CATEGORIES.find((c) => c.name === value)?.stored ?? value, step.category),
      experienceYears: step.experienceYears,
      consultationFee: step.consultationFee,
      about: step.about,
      gender: step.gender,
      dateOfBirth: step.dateOfBirth,
      languages: z.preprocess(asList, step.languages),
      councilName: step.medicalCouncilName,
      councilNumber: step.medicalCouncilRegistrationNumber,
      councilYear: step.yearOfRegistration,
      hospitalId: z.uuid({ error: () => m.application_hospital_gone() }).optional(),
      hospitalName: manual.hospitalName.optional(),
      hospitalAddress: manual.hospitalAddress.optional(),
      contactNumber: manual.contactNumber.optional(),
      bankName: bank.bankName.optional(),
      bankBranch: bank.bankBranch.optional(),
      accountHolderName: bank.accountHolderName.optional(),
      accountNumber: bank.accountNumber.optional(),
      ifscCode: bank.ifscCode.optional(),
      /** An image of this post, and one received by an earlier post with errors. */
      photo: z.string().max(60).optional(),
      photoReceived: z.string().max(60).optional(),
      removePhoto: z.boolean().optional(),
    })
    .refine((form) => form.councilYear > Number(form.dateOfBirth.slice(0, 4)), {
      error: () => m.application_council_year_before_birth(),
      path: ["councilYear"],
    })
    .refine(...wholeHospital("hospitalName"))
    .refine(...wholeHospital("hospitalAddress"))
    .refine(...wholeHospital("contactNumber"));
}
export type ProfileForm = z.output<ReturnType<typeof profileFormOn>>;

/** The form that withdraws a pending change. */
export const WithdrawSchema = z.object({ intent: z.literal("withdraw"), change: z.string().max(60) });

const reason = z
  .string()
  .trim()
  .max(500, { error: () => m.application_too_long() })
  .optional();
/** An administrator's decision about a change. */
export const DecideChangeSchema = z
  .object({ intent: z.enum(["approve", "refuse"]), reason })
  .refine(({ intent, reason }) => intent === "approve" || reason, {
    error: () => m.profile_refuse_reason_required(),
    path: ["reason"],
  });
