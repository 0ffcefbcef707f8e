/** The typed values of an application, as text, valid or not: the shape of the encrypted draft and of the forms. */
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
  /** "on": "This is my clinic". Missing in drafts from before. */
  own?: string;
};
/** An option of the hospital list: what is filled in and read-only when chosen. */
export type HospitalOption = { id: string; name: string; address: string; contact: string };
/** The hospital list of the page: matching options, or why there are none. */
export type HospitalList = { options: HospitalOption[]; matching: number; total: number; problem: string | null };
/** `key` identifies the rows of the form while some are added and removed. */
export type QualificationTyped = { key: string; degree: string; universityCollege: string; year: string };
const isText = <Name extends string>(name: Name): name is Exclude<Name, "qualifications" | "languages"> =>
  name !== "qualifications" && name !== "languages";
/** The text fields of the professional step: those of its parts, and the two identity numbers. */
export const PROFESSIONAL_FIELDS = [...Object.values(PART_FIELDS).flat().filter(isText), "aadhaarNumber", "panNumber"] as const;
export type ProfessionalTyped = Record<(typeof PROFESSIONAL_FIELDS)[number], string> & {
  languages: string[];
  qualifications: QualificationTyped[];
};
export const BANK_FIELDS = ["bankName", "accountNumber", "ifscCode", "accountHolderName", "bankBranch"] as const;
export type BankTyped = Record<(typeof BANK_FIELDS)[number], string>;

/** A document image received for the application. `askedAgain`: why a reviewer requested it again. */
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

/** Removes empty rows. Preserves the first, which is required. */
export const meantQualifications = <Row extends { degree: string; universityCollege: string; year: string }>(rows: readonly Row[]): Row[] =>
  rows.filter((row, i) => i === 0 || [row.degree, row.universityCollege, row.year].some((text) => text.trim() !== ""));

/** Parses the step; null if something is missing or invalid. */
export const hospitalStepOf = (typed: HospitalTyped | null): HospitalStep | null =>
  typed ? (HospitalStepSchema.safeParse(typed).data ?? null) : null;
export const professionalStepOf = (typed: ProfessionalTyped | null, today: DateKey): ProfessionalStep | null =>
  typed
    ? (professionalStepOn(today).safeParse({ ...typed, qualifications: meantQualifications(typed.qualifications) }).data ?? null)
    : null;
/** Returns the first three parts of the professional step that are complete. */
export const completeParts = (typed: ProfessionalTyped | null, today: DateKey): PartName[] => {
  const given = typed && { ...typed, qualifications: meantQualifications(typed.qualifications) };
  return given ? (Object.keys(PART_FIELDS) as PartName[]).filter((part) => professionalPartOn(today, part).safeParse(given).success) : [];
};
export const bankStepOf = (typed: BankTyped | null): BankStep | null => (typed ? (BankStepSchema.safeParse(typed).data ?? null) : null);

/**
 * Numbers that are stored encrypted and shown masked, each with the test of a valid one. An invalid number is shown, so that the
 * doctor can correct it.
 */
export const ENCRYPTED_NUMBERS = {
  aadhaarNumber: (typed: string) => /^\d{12}$/.test(plainDigits(typed).replace(/[\s-]/g, "")),
  panNumber: (typed: string) => /^[A-Z]{5}[0-9]{4}[A-Z]$/.test(plainDigits(typed).replace(/\s/g, "").toUpperCase()),
  accountNumber: (typed: string) => /^\d{9,18}$/.test(plainDigits(typed).replace(/[\s-]/g, "")),
} as const;
export type EncryptedNumber = keyof typeof ENCRYPTED_NUMBERS;

/** "•••• 0124"; null if the number is not valid. */
export const maskedNumber = (name: EncryptedNumber, typed: string) =>
  ENCRYPTED_NUMBERS[name](typed) ? `•••• ${plainDigits(typed).replace(/[\s-]/g, "").toUpperCase().slice(-4)}` : null;
/** Returns the value for the page: empty for a stored number. */
export const shownNumber = (name: EncryptedNumber, typed: string) => (ENCRYPTED_NUMBERS[name](typed) ? "" : typed);
/** Returns the stored number for an empty field, otherwise the typed one. */
export const mergedNumber = (name: EncryptedNumber, before: string | undefined, typed: string) =>
  typed.trim() === "" && before && ENCRYPTED_NUMBERS[name](before) ? before : typed;
