/**
 * Between the posted forms of the three steps and the draft: what was posted becomes the typed step, what is kept goes back
 * into the form before the schema judges it. A field that did not come (the reading ended at a file that was too large)
 * keeps what was there.
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
  type HospitalTyped,
  KEPT_NUMBERS,
  type KeptNumber,
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
/** "remove-document:…" → what stands behind the colon; null for another intent. */
const argumentOf = (intent: string, name: string) => (intent.startsWith(`${name}:`) ? intent.slice(name.length + 1) : null);

/** The page a form was sent from: the draft's version it had read, and its own token. */
export function writerOf(formData: FormData): Writer {
  const count = (name: string) => {
    const value = Number(textOf(formData.get(name)));
    return Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return { version: count("version"), page: textOf(formData.get("page")).slice(0, 100), turn: count("turn") };
}
/** Said by the page, so that the next post can be told from another page's. */
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
  };
}

/** Step 3. */
export function bankTypedOf(formData: FormData, before: BankTyped | null): BankTyped {
  const typed = Object.fromEntries(BANK_FIELDS.map((name) => [name, pick(formData, name, before?.[name])])) as BankTyped;
  return { ...typed, accountNumber: mergedNumber("accountNumber", before?.accountNumber, typed.accountNumber) };
}

const newRow = (): QualificationTyped => ({ key: newPage().slice(0, 12), degree: "", universityCollege: "", year: "" });
/** The rows to show: at least one. */
export const rowsOf = (rows: readonly QualificationTyped[] | undefined): QualificationTyped[] => (rows?.length ? [...rows] : [newRow()]);

/** Step 2, with what its buttons ask for (a row more or less, a number taken out, a city chosen). */
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
  // A box that is not ticked sends nothing: the text beside the boxes says that they were there.
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

/** A city chosen from the list, or written as the list writes it ("Guntur, Andhra Pradesh"), brings its state. */
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

/** Puts the kept step and the received documents into the form, and turns its buttons into `continue` or `edit`. */
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

/** The numbers of this form that the answer must not carry back: they are kept, and shown masked. */
export const numbersToHide = (typed: Partial<Record<KeptNumber, string>>): KeptNumber[] =>
  (Object.keys(KEPT_NUMBERS) as KeptNumber[]).filter((name) => KEPT_NUMBERS[name](typed[name] ?? ""));

/** What a post of step 2 wants done with a document. */
export const documentToRemove = (formData: FormData): string | null => argumentOf(intentOf(formData), "remove-document");
/** Whether the post is a correction, which is submitted without the third step. */
export const isSubmitted = (formData: FormData) => formData.get("pressed") === "submit";
/** Where the page goes on after a button that only keeps: to the part that was pressed. */
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
