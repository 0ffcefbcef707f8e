/**
 * Converts between the posted forms of the three steps and the draft. Typed values become the step to store. Stored values are
 * merged into the form before the schema validates it. A missing field (the upload ended at a file that was too large) preserves
 * the stored value.
 */
import { type DocumentKind, doctorDocuments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { getCity, searchCities } from "#app/domains/platform/location/queries.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { MAX_LANGUAGES, MAX_QUALIFICATIONS } from "./choices.ts";
import { answerOf } from "./documents.server.ts";
import {
  BANK_FIELDS,
  type BankTyped,
  ENCRYPTED_NUMBERS,
  type EncryptedNumber,
  type HospitalTyped,
  meantQualifications,
  mergedNumber,
  type OwnDocument,
  PROFESSIONAL_FIELDS,
  type ProfessionalTyped,
  type QualificationTyped,
} from "./draft.ts";
import type { Writer } from "./draft-store.server.ts";
import { PART_FIELDS } from "./verification.schema.ts";

const LONGEST = 4000;
const textOf = (value: FormDataEntryValue | null) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
const intentOf = (formData: FormData) => textOf(formData.get("intent"));
/** Returns the argument of an intent ("remove-document:…"); null for another intent. */
const argumentOf = (intent: string, name: string) => (intent.startsWith(`${name}:`) ? intent.slice(name.length + 1) : null);

/** Returns the page that sent a form: the version of the draft it was rendered from, and its token. */
export function writerOf(formData: FormData): Writer {
  const count = (name: string) => {
    const value = Number(textOf(formData.get(name)));
    return Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return { version: count("version"), page: textOf(formData.get("page")).slice(0, 100), turn: count("turn") };
}
/** Returns the token that a page sends with its posts. */
export const newPage = randomToken;

const pick = (formData: FormData, name: string, before: string | undefined) =>
  formData.has(name) ? textOf(formData.get(name)) : (before ?? "");

/** Step 1. */
export function hospitalTypedOf(formData: FormData): HospitalTyped {
  const mode = formData.get("mode") === "manual" ? "manual" : "select";
  const text = (name: string) => textOf(formData.get(name));
  return {
    mode,
    hospitalId: mode === "select" ? text("hospitalId") : "",
    hospitalName: text("hospitalName"),
    hospitalAddress: text("hospitalAddress"),
    contactNumber: text("contactNumber"),
    ...(mode === "manual" && { own: text("own") }),
  };
}

/** Step 3. */
export function bankTypedOf(formData: FormData, before: BankTyped | null): BankTyped {
  const typed = Object.fromEntries(BANK_FIELDS.map((name) => [name, pick(formData, name, before?.[name])])) as BankTyped;
  return { ...typed, accountNumber: mergedNumber("accountNumber", before?.accountNumber, typed.accountNumber) };
}

const newRow = (): QualificationTyped => ({ key: newPage().slice(0, 12), degree: "", universityCollege: "", year: "" });
/** Returns the rows to show: at least one. */
export const rowsOf = (rows: readonly QualificationTyped[] | undefined): QualificationTyped[] => (rows?.length ? [...rows] : [newRow()]);

/** Step 2, with the changes of its buttons (a row added or removed, a number removed, a city chosen). */
export async function professionalTypedOf(ctx: Ctx, formData: FormData, before: ProfessionalTyped | null): Promise<ProfessionalTyped> {
  const intent = intentOf(formData);
  const typed = Object.fromEntries(PROFESSIONAL_FIELDS.map((name) => [name, pick(formData, name, before?.[name])])) as Omit<
    ProfessionalTyped,
    "languages" | "qualifications"
  >;
  for (const name of ["aadhaarNumber", "panNumber"] as const)
    typed[name] = argumentOf(intent, "clear") === name ? "" : mergedNumber(name, before?.[name], typed[name]);
  return {
    ...typed,
    ...(await placeOf(ctx, intent, typed)),
    languages: languagesOf(formData, before),
    qualifications: qualificationsOf(formData, intent, before),
  };
}

function languagesOf(formData: FormData, before: ProfessionalTyped | null): string[] {
  // Unchecked boxes send nothing. The text field next to them shows that the boxes were in the form.
  if (!formData.has("otherLanguages")) return before?.languages ?? formData.getAll("languages").map(textOf);
  const given = [...formData.getAll("languages").map(textOf), ...textOf(formData.get("otherLanguages")).split(/[,;\n]/)];
  const byName = new Map<string, string>();
  for (const name of given.map((text) => text.replace(/\s+/g, " ").trim()))
    if (name && !byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), name);
  return [...byName.values()].slice(0, MAX_LANGUAGES);
}

function qualificationsOf(formData: FormData, intent: string, before: ProfessionalTyped | null): QualificationTyped[] {
  const rows: QualificationTyped[] = [];
  for (
    let i = 0;
    i < MAX_QUALIFICATIONS && ["degree", "universityCollege", "year", "key"].some((name) => formData.has(`qualifications[${i}].${name}`));
    i++
  ) {
    const text = (name: string) => textOf(formData.get(`qualifications[${i}].${name}`)).slice(0, 300);
    rows.push({
      key: text("key") || newRow().key,
      degree: text("degree"),
      universityCollege: text("universityCollege"),
      year: text("year"),
    });
  }
  const now = rows.length ? rows : rowsOf(before?.qualifications);
  if (intent === "add-qualification" && now.length < MAX_QUALIFICATIONS) return [...now, newRow()];
  const removed = argumentOf(intent, "remove-qualification");
  return removed === null ? now : rowsOf(now.filter((row) => row.key !== removed));
}

/** Returns city and state. A city chosen from the list, or typed as in the list ("Guntur, Andhra Pradesh"), sets the state. */
async function placeOf(ctx: Ctx, intent: string, typed: { city: string; state: string }): Promise<{ city: string; state: string }> {
  const chosen = argumentOf(intent, "place");
  if (chosen !== null) {
    const { name, state } = await getCity(ctx, chosen);
    return { city: name, state };
  }
  const written = typed.city.trim();
  if (!written.includes(",")) return { city: typed.city, state: typed.state };
  const [name = ""] = written.split(",");
  const same = (await searchCities(ctx, name)).find((city) => city.displayName.toLowerCase() === written.toLowerCase());
  return same ? { city: same.name, state: same.state } : { city: typed.city, state: typed.state };
}

/** Writes the stored step and the received documents into the form, and converts its buttons to `continue` or `edit`. */
export function fillProfessional(formData: FormData, typed: ProfessionalTyped, documents: readonly OwnDocument[]): void {
  const intent = intentOf(formData);
  for (const name of new Set(formData.keys())) if (name.startsWith("qualifications[") || name === "languages") formData.delete(name);
  for (const name of PROFESSIONAL_FIELDS) formData.set(name, typed[name]);
  for (const language of typed.languages) formData.append("languages", language);
  meantQualifications(typed.qualifications).forEach((row, i) => {
    for (const name of ["key", "degree", "universityCollege", "year"] as const) formData.set(`qualifications[${i}].${name}`, row[name]);
  });
  for (const kind of doctorDocuments.kind.enumValues) {
    formData.delete(kind);
    const answer = answerOf(documents, kind);
    if (answer) formData.set(kind, answer.id);
  }
  formData.set("pressed", intent);
  formData.set("intent", ["", "continue", "submit"].includes(intent) ? "continue" : intent in PART_FIELDS ? intent : "edit");
}
export function fillBank(formData: FormData, typed: BankTyped): void {
  for (const name of BANK_FIELDS) formData.set(name, typed[name]);
}

/** Returns the numbers that the response must not contain: they are stored, and shown masked. */
export const numbersToHide = (typed: Partial<Record<EncryptedNumber, string>>): EncryptedNumber[] =>
  (Object.keys(ENCRYPTED_NUMBERS) as EncryptedNumber[]).filter((name) => ENCRYPTED_NUMBERS[name](typed[name] ?? ""));

/** Returns the id of the document to remove, or null. */
export const documentToRemove = (formData: FormData): string | null => argumentOf(intentOf(formData), "remove-document");
/** True if the post is a correction, which is submitted without the third step. */
export const isSubmitted = (formData: FormData) => formData.get("pressed") === "submit";
/** Returns the anchor of the part whose button stored the form. */
export function partOf(formData: FormData): string {
  const intent = textOf(formData.get("pressed"));
  const part = /^part-([1-3])$/.exec(intent)?.[1];
  if (part) return `#part-${Number(part) + 1}`;
  if (/^(upload|remove-document)/.test(intent)) return "#documents";
  if (/qualification/.test(intent)) return "#qualifications";
  if (/^(find-city|place)/.test(intent)) return "#place";
  return "#numbers";
}
export const isDocumentKind = (name: string): name is DocumentKind => (doctorDocuments.kind.enumValues as readonly string[]).includes(name);
