/** The form of /doctor/profile/edit (spec 000 §5), by the rules of the application where it gives none of its own. */
import { z } from "zod";
import type { DateKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { BankStepSchema, HospitalStepSchema, professionalStepOn } from "../verification/verification.schema.ts";
import { EDIT_CATEGORIES } from "./edit-categories.ts";

const manual = HospitalStepSchema.options[1].shape;
const bank = BankStepSchema.shape;
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

/** @param today the day in India on which the form is judged. */
export function profileFormOn(today: DateKey) {
  const step = professionalStepOn(today).shape;
  return z
    .object({
      /** What the page was made from; another one means that somebody has saved since. */
      version: z.string().max(40).optional(),
      fullName: step.fullName,
      primarySpecialization: step.primarySpecialization,
      additionalSpecializations: step.additionalSpecializations,
      category: z.preprocess((value) => EDIT_CATEGORIES.find((c) => c.name === value)?.kept ?? value, step.category),
      experienceYears: step.experienceYears,
      consultationFee: step.consultationFee,
      about: step.about,
      gender: step.gender,
      dateOfBirth: step.dateOfBirth,
      languages: z.preprocess(asList, step.languages),
      councilName: step.medicalCouncilName,
      councilNumber: step.medicalCouncilRegistrationNumber,
      councilYear: step.yearOfRegistration,
      hospitalId: z.uuid({ error: () => m.verification_hospital_gone() }).optional(),
      hospitalName: manual.hospitalName.optional(),
      hospitalAddress: manual.hospitalAddress.optional(),
      contactNumber: manual.contactNumber.optional(),
      bankName: bank.bankName.optional(),
      bankBranch: bank.bankBranch.optional(),
      accountHolderName: bank.accountHolderName.optional(),
      accountNumber: bank.accountNumber.optional(),
      ifscCode: bank.ifscCode.optional(),
      /** A picture that came with this post, and one that came with a post before it which had faults. */
      photo: z.string().max(60).optional(),
      photoReceived: z.string().max(60).optional(),
      removePhoto: z.boolean().optional(),
    })
    .superRefine((form, context) => {
      const complain = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (form.councilYear <= Number(form.dateOfBirth.slice(0, 4))) complain("councilYear", m.verification_council_year_before_birth());
      // A hospital that is not listed needs all three.
      const hospital = ["hospitalName", "hospitalAddress", "contactNumber"] as const;
      if (!form.hospitalId && hospital.some((part) => form[part]))
        for (const part of hospital) if (!form[part]) complain(part, m.verification_hospital_incomplete());
    });
}
export type ProfileForm = z.output<ReturnType<typeof profileFormOn>>;

/** Taking back a change that waits. */
export const WithdrawSchema = z.object({ intent: z.literal("withdraw"), change: z.string().max(60) });

const reason = z
  .string()
  .trim()
  .max(500, { error: () => m.verification_too_long() })
  .optional();
/** What an administrator says about a change. */
export const DecideChangeSchema = z
  .object({ intent: z.enum(["approve", "refuse"]), reason })
  .refine(({ intent, reason }) => intent === "approve" || reason, {
    error: () => m.profile_refuse_reason_required(),
    path: ["reason"],
  });
