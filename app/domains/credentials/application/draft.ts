/** What a doctor has typed so far, as text, whatever it is worth: the shape of the sealed draft and of the forms. */
import type { DocumentKind } from "#app/db/schema/index.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import {
  type BankStep,
  BankStepSchema,
  type HospitalStep,
  HospitalStepSchema,
  PART_FIELDS,
  type PartName,
  type ProfessionalStep,
  professionalPartOn,
  professionalStepOn,
} from "./verification.schema.ts";

export type HospitalTyped = {
  mode: "select" | "manual";
  hospitalId: string;
  hospitalName: string;
  hospitalAddress: string;
  contactNumber: string;
};
/** What the list of existing hospitals shows, and what is filled and locked when one is chosen. */
export type HospitalOption = { id: string; name: string; address: string; contact: string };
/** The list as the page has it: some of those that match, or why there is none. */
export type HospitalList = { options: HospitalOption[]; matching: number; total: number; problem: string | null };
/** `key` tells the rows of the form apart while some are added and removed. */
export type QualificationTyped = { key: string; degree: string; universityCollege: string; year: string };
export const PROFESSIONAL_FIELDS = [
  "fullName",
  "gender",
  "dateOfBirth",
  "medicalCouncilRegistrationNumber",
  "medicalCouncilName",
  "yearOfRegistration",
  "primarySpecialization",
  "additionalSpecializations",
  "category",
  "experienceYears",
  "consultationFee",
  "about",
  "city",
  "state",
  "aadhaarNumber",
  "panNumber",
] as const;
export type ProfessionalTyped = Record<(typeof PROFESSIONAL_FIELDS)[number], string> & {
  languages: string[];
  qualifications: QualificationTyped[];
};
export const BANK_FIELDS = ["bankName", "accountNumber", "ifscCode", "accountHolderName", "bankBranch"] as const;
export type BankTyped = Record<(typeof BANK_FIELDS)[number], string>;

/** A document image that was received for the application. `askedAgain`: why a decider wants it anew. */
export type OwnDocument = {
  id: string;
  kind: DocumentKind;
  fileId: string;
  byteSize: number;
  width: number | null;
  height: number | null;
  askedAgain: string | null;
};

export type DraftSteps = { hospital: HospitalTyped | null; professional: ProfessionalTyped | null; bank: BankTyped | null };
export type DraftStepName = keyof DraftSteps;

/** Rows of which nothing was filled are not meant; the first is asked for. */
export const meantQualifications = <Row extends { degree: string; universityCollege: string; year: string }>(rows: readonly Row[]): Row[] =>
  rows.filter((row, i) => i === 0 || [row.degree, row.universityCollege, row.year].some((text) => text.trim() !== ""));

/** The step as the schema reads it; null while something of it is missing or wrong. */
export const hospitalStepOf = (typed: HospitalTyped | null): HospitalStep | null =>
  typed ? (HospitalStepSchema.safeParse(typed).data ?? null) : null;
export const professionalStepOf = (typed: ProfessionalTyped | null, today: DateKey): ProfessionalStep | null =>
  typed
    ? (professionalStepOn(today).safeParse({ ...typed, qualifications: meantQualifications(typed.qualifications) }).data ?? null)
    : null;
/** Which of the first three parts of the professional step are complete. */
export const completeParts = (typed: ProfessionalTyped | null, today: DateKey): PartName[] => {
  const given = typed && { ...typed, qualifications: meantQualifications(typed.qualifications) };
  return given ? (Object.keys(PART_FIELDS) as PartName[]).filter((part) => professionalPartOn(today, part).safeParse(given).success) : [];
};
export const bankStepOf = (typed: BankTyped | null): BankStep | null => (typed ? (BankStepSchema.safeParse(typed).data ?? null) : null);

/** Numbers that are kept sealed and shown masked, and what makes one worth keeping: a wrong one may be shown, to be mended. */
export const KEPT_NUMBERS = {
  aadhaarNumber: (typed: string) => /^\d{12}$/.test(plainDigits(typed).replace(/[\s-]/g, "")),
  panNumber: (typed: string) => /^[A-Z]{5}[0-9]{4}[A-Z]$/.test(plainDigits(typed).replace(/\s/g, "").toUpperCase()),
  accountNumber: (typed: string) => /^\d{9,18}$/.test(plainDigits(typed).replace(/[\s-]/g, "")),
} as const;
export type KeptNumber = keyof typeof KEPT_NUMBERS;

/** "•••• 0124"; null when there is no whole number to hide. */
export const maskedNumber = (name: KeptNumber, typed: string) =>
  KEPT_NUMBERS[name](typed) ? `•••• ${plainDigits(typed).replace(/[\s-]/g, "").toUpperCase().slice(-4)}` : null;
/** What a page may be given back: nothing of a number that is kept. */
export const shownNumber = (name: KeptNumber, typed: string) => (KEPT_NUMBERS[name](typed) ? "" : typed);
/** An empty field keeps the number that is kept; anything typed takes its place. */
export const mergedNumber = (name: KeptNumber, before: string | undefined, typed: string) =>
  typed.trim() === "" && before && KEPT_NUMBERS[name](before) ? before : typed;
