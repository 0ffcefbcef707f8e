/**
 * The three steps of a doctor's application (spec 000 §5), of the form and of the encrypted draft. Uses Indian conventions where
 * the specification has no rule. Pure: the date is a parameter.
 */

import { z } from "zod";
import { SPECIALTIES } from "#app/domains/directory/specialties.ts";
import { ageOn, type DateKey, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { fromRupees, parseRupees } from "#app/lib/money.ts";
import { isContactNumber } from "#app/lib/phone.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_LANGUAGES, MAX_QUALIFICATIONS } from "./choices.ts";

const EARLIEST_YEAR = 1950;
const YOUNGEST = 21;
const OLDEST = 100;
const HIGHEST_FEE = 100_000;

const long = () => m.application_too_long();
/** A line of text: collapses white space and control characters (which PostgreSQL refuses) to one space. */
export const asLine = (value: unknown) => (typeof value === "string" ? value.replace(/[\s\p{Cc}]+/gu, " ").trim() || undefined : value);
const line = (missing: () => string, max = MAX_LINE) => z.preprocess(asLine, z.string({ error: missing }).max(max, { error: long }));
const optionalLine = (max: number) => z.preprocess(asLine, z.string({ error: long }).max(max, { error: long }).optional());

const digits = (wrong: () => string, min: number, max: number) =>
  z
    .string()
    .trim()
    .overwrite(plainDigits)
    .regex(/^\d{1,4}$/, { error: wrong, abort: true })
    .transform(Number)
    .pipe(z.number().min(min, { error: wrong }).max(max, { error: wrong }));
const asDigits = (value: unknown) => (typeof value === "number" ? String(value) : emptyAsNone(value));
const wholeNumber = (missing: () => string, wrong: () => string, min: number, max: number) =>
  z.preprocess(asDigits, z.string({ error: missing }).pipe(digits(wrong, min, max)));

// Step 1

const incomplete = () => m.application_hospital_incomplete();
/** A landline or mobile number as typed: "0866 247 4301", "+91 98765 43210", "1800-425-1234". */
const contact = line(incomplete, 30).pipe(
  z
    .string()
    .overwrite(plainDigits)
    .refine(isContactNumber, { error: () => m.application_contact_invalid() }),
);

/** An existing hospital, or the details of one that is not listed. */
export const HospitalStepSchema = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("select"), hospitalId: z.preprocess(emptyAsNone, z.uuid({ error: incomplete })) }),
  z.object({
    mode: z.literal("manual"),
    hospitalName: line(incomplete, 200),
    hospitalAddress: line(incomplete, 400),
    contactNumber: contact,
    own: z.enum(["on", ""]).optional(),
  }),
]);
export type HospitalStep = z.output<typeof HospitalStepSchema>;
/** The form of step 1: `next`, or `choose` to fill in a hospital of the list. */
export const HospitalFormSchema = z.intersection(
  HospitalStepSchema,
  z.object({ intent: z.enum(["next", "choose"]).default("next"), q: z.string().max(100).default("") }),
);

// Step 2

const yearOf = (today: DateKey) => Number(today.slice(0, 4));

const dateOfBirth = (today: DateKey) =>
  z.preprocess(
    emptyAsNone,
    z
      .string({ error: () => m.application_birth_required() })
      .trim()
      .overwrite(plainDigits)
      .refine(isDateKey, { error: () => m.application_birth_invalid(), abort: true })
      .refine((day) => day < today && ageOn(day, today) <= OLDEST, { error: () => m.application_birth_invalid(), abort: true })
      .refine((day) => ageOn(day, today) >= YOUNGEST, { error: () => m.application_too_young({ years: String(YOUNGEST) }) }),
  );

/** Converts rupees as typed ("500", "₹1,200.50") to a number of rupees. */
const consultationFee = z.preprocess(
  (value) => (typeof value === "number" ? String(value) : emptyAsNone(value)),
  z
    .string({ error: () => m.application_fee_required() })
    .transform((text) => plainDigits(text).trim().replace("−", "-"))
    .pipe(
      z
        .string()
        .refine((text) => parseRupees(text.replace(/^-/, "")) !== null, { error: () => m.application_fee_invalid(), abort: true })
        .transform((text) => (text.startsWith("-") ? -1 : 1) * (parseRupees(text.replace(/^-/, ""))! / 100))
        .pipe(
          z
            .number()
            .min(0, { error: () => m.application_fee_negative() })
            .max(HIGHEST_FEE, { error: () => m.application_fee_high() }),
        ),
    ),
);

/** The specification requires twelve digits only. A wrong check digit is a warning, not an error (lib/verhoeff.ts). */
const aadhaarNumber = z.preprocess(
  emptyAsNone,
  z
    .string()
    .transform((text) => plainDigits(text).replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{12}$/, { error: () => m.application_aadhaar_invalid() }))
    .optional(),
);
const panNumber = z.preprocess(
  emptyAsNone,
  z
    .string()
    .transform((text) => plainDigits(text).replace(/\s/g, "").toUpperCase())
    .pipe(z.string().regex(/^[A-Z]{5}[0-9]{4}[A-Z]$/, { error: () => m.application_pan_invalid() }))
    .optional(),
);

const qualification = (today: DateKey) =>
  z.object({
    degree: line(() => m.application_degree_required(), 120),
    universityCollege: optionalLine(200),
    year: z.preprocess(asDigits, digits(() => m.application_year_invalid(), EARLIEST_YEAR, yearOf(today)).optional()),
  });

const placeMissing = () => m.application_place_required();

const professionalShape = (today: DateKey) => ({
  fullName: line(() => m.application_name_required()),
  gender: z.preprocess(
    (v) => (typeof v === "string" ? v.trim().toLowerCase() : v),
    z.enum(GENDERS, { error: () => m.application_gender_required() }),
  ),
  dateOfBirth: dateOfBirth(today),
  medicalCouncilRegistrationNumber: line(() => m.application_council_number_required(), 60),
  medicalCouncilName: line(() => m.application_council_name_required(), 120),
  yearOfRegistration: wholeNumber(
    () => m.application_council_year_required(),
    () => m.application_council_year_invalid({ from: String(EARLIEST_YEAR), to: today.slice(0, 4) }),
    EARLIEST_YEAR,
    yearOf(today),
  ),
  primarySpecialization: line(() => m.application_specialization_required()),
  additionalSpecializations: optionalLine(300),
  category: z.preprocess((v) => emptyAsNone(v) ?? "General", z.enum(SPECIALTIES, { error: () => m.application_category_invalid() })),
  experienceYears: wholeNumber(
    () => m.application_experience_required(),
    () => m.application_experience_invalid(),
    0,
    70,
  ),
  consultationFee,
  about: z.preprocess(
    (v) => (typeof v === "string" ? emptyAsNone(v.replace(/[^\P{Cc}\n]/gu, "")) : v),
    z
      .string({ error: () => m.application_about_required() })
      .trim()
      .max(3000, { error: long }),
  ),
  languages: z.array(line(long, 40), { error: long }).max(MAX_LANGUAGES, { error: long }).default([]),
  qualifications: z
    .array(qualification(today), { error: () => m.application_degree_required() })
    .min(1, { error: () => m.application_degree_required() })
    .max(MAX_QUALIFICATIONS, { error: () => m.application_too_many_qualifications({ count: String(MAX_QUALIFICATIONS) }) }),
  city: line(placeMissing, 80),
  state: line(placeMissing, 80),
  aadhaarNumber,
  panNumber,
});

type BornAndRegistered = { dateOfBirth: string; yearOfRegistration: number };
// An invalid year has its own error.
const registeredAfterBirth = (step: BornAndRegistered) =>
  step.yearOfRegistration < EARLIEST_YEAR || step.yearOfRegistration > Number(step.dateOfBirth.slice(0, 4));
const beforeBirth = { error: () => m.application_council_year_before_birth(), path: ["yearOfRegistration"] };

/** Returns the schema of the professional step on a day in India. The four kinds of document images are validated separately. */
export const professionalStepOn = (today: DateKey) => z.object(professionalShape(today)).refine(registeredAfterBirth, beforeBirth);
export type ProfessionalStep = z.output<ReturnType<typeof professionalStepOn>>;

/** The fields of the first three of the form's four parts. The fourth has numbers and documents. */
export const PART_FIELDS = {
  "part-1": ["fullName", "gender", "dateOfBirth"],
  "part-2": [
    "medicalCouncilRegistrationNumber",
    "medicalCouncilName",
    "yearOfRegistration",
    "primarySpecialization",
    "additionalSpecializations",
    "category",
    "experienceYears",
    "consultationFee",
    "about",
  ],
  "part-3": ["qualifications", "languages", "city", "state"],
} as const satisfies Record<string, readonly (keyof ReturnType<typeof professionalShape>)[]>;
export type PartName = keyof typeof PART_FIELDS;

/** Returns the schema of one part of step 2. */
export const professionalPartOn = (today: DateKey, part: PartName) => {
  const shape: Record<string, z.ZodType> = professionalShape(today);
  return z.object(Object.fromEntries(PART_FIELDS[part].map((name) => [name, shape[name] as z.ZodType])));
};

const received = (missing: () => string) => z.string({ error: missing }).min(1, { error: missing });
/**
 * The form of step 2: `continue` requires everything, `part-1` to `part-3` the fields of their part, `edit` only stores the typed
 * values and received files.
 */
export const professionalFormOn = (today: DateKey) =>
  z.discriminatedUnion("intent", [
    z
      .object({
        intent: z.literal("continue"),
        ...professionalShape(today),
        // The names of files received before, as values (documents.server.ts).
        profileImage: received(() => m.application_profile_image_required()),
        identityDocument: received(() => m.application_identity_required()),
        medicalCouncilCertificate: received(() => m.application_certificate_required()),
        qualificationCertificates: received(() => m.application_qualification_file_required()),
      })
      .refine(registeredAfterBirth, beforeBirth),
    ...(Object.keys(PART_FIELDS) as PartName[]).map((part) => professionalPartOn(today, part).extend({ intent: z.literal(part) })),
    z.object({ intent: z.literal("edit") }),
  ]);

/** Returns the fee of the step in paise. */
export const feeInPaise = (step: Pick<ProfessionalStep, "consultationFee">) => fromRupees(step.consultationFee);

// Step 3

const bankRequired = {
  bankName: () => m.application_bank_name_required(),
  accountNumber: () => m.application_account_required(),
  ifscCode: () => m.application_ifsc_required(),
  accountHolderName: () => m.application_holder_required(),
  bankBranch: () => m.application_branch_required(),
};
/** Bank account of the doctor. The specification has no format rules: these are India's (IFSC, account number). */
export const BankStepSchema = z.object({
  bankName: line(bankRequired.bankName),
  accountNumber: z.preprocess(
    emptyAsNone,
    z
      .string({ error: bankRequired.accountNumber })
      .transform((text) => plainDigits(text).replace(/[\s-]/g, ""))
      .pipe(z.string().regex(/^\d{9,18}$/, { error: () => m.application_account_invalid() })),
  ),
  ifscCode: z.preprocess(
    emptyAsNone,
    z
      .string({ error: bankRequired.ifscCode })
      .transform((text) => plainDigits(text).replace(/\s/g, "").toUpperCase())
      .pipe(z.string().regex(/^[A-Z]{4}0[A-Z0-9]{6}$/, { error: () => m.application_ifsc_invalid() })),
  ),
  accountHolderName: line(bankRequired.accountHolderName),
  bankBranch: line(bankRequired.bankBranch),
});
export type BankStep = z.output<typeof BankStepSchema>;
