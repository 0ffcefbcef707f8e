/** Guesses what the columns of a file are, by their names in three languages and by what they contain. */

import { plainDigits } from "#app/lib/digits.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import { type DateOrder, isProblem, oneLine, orderOfDate, readBlood, readGender, readPhone } from "./values.ts";

export const PATIENT_FIELDS = ["name", "phone", "born", "gender", "blood", "address", "number", "note"] as const;
export const APPOINTMENT_FIELDS = ["date", "time", "doctor", "number", "phone", "name", "status", "fee", "paid"] as const;
export type ImportField = (typeof PATIENT_FIELDS)[number] | (typeof APPOINTMENT_FIELDS)[number];
export const fieldsOf = (kind: ImportKind): readonly ImportField[] => (kind === "patients" ? PATIENT_FIELDS : APPOINTMENT_FIELDS);

export const isDate = (field: ImportField | null | undefined): boolean => field === "born" || field === "date";

/** `null`: not imported. `undefined`: not guessed, the user chooses. */
export type Guess = ImportField | null | undefined;
export type FileColumn = { header: string; examples: string[]; guess?: ImportField | null };

/** Words of headers. The first field that fits counts: "patient name" is a name, "doctor name" a doctor. */
const HEADERS: [ImportField, RegExp][] = [
  ["doctor", /\b(doctor|doctors|dr|consultant|physician|doc)\b|వైద్యుడు|వైద్యులు|డాక్టర్|डॉक्टर|चिकित्सक/u],
  ["phone", /\b(phone|mobile|mob|cell|contact|whatsapp|tel|telephone|ph|phno|mobileno|contactno)\b|ఫోన్|మొబైల్|फ़ोन|फोन|मोबाइल/u],
  ["born", /\b(age|dob|d o b|birth|birthdate|born|yob)\b|వయసు|వయస్సు|పుట్టిన|आयु|उम्र|जन्म/u],
  ["gender", /\b(sex|gender|m\/f)\b|లింగం|लिंग/u],
  ["blood", /\b(blood|bl|bg|bld)\b|రక్త|रक्त|ब्लड|బ్లడ్/u],
  ["address", /\b(address|addr|area|village|street|town|city|place|locality)\b|చిరునామా|ఊరు|गाँव|पता/u],
  [
    "number",
    /\b(op|opd|ip|mr|mrn|uhid|reg|regn|file|card|chart|hospital|clinic|patient)\s*(no|number|num|id|#)\b|\b(uhid|mrn|opno|regno|patientid|number)\b|నంబర్|క్రమ సంఖ్య|नंबर|क्रमांक/u,
  ],
  ["status", /\b(status|state|outcome)\b|స్థితి|स्थिति/u],
  ["paid", /\b(paid|received|collected|payment)\b|చెల్లించిన|भुगतान/u],
  ["fee", /\b(fee|fees|charge|charges|amount|amt)\b|ఫీజు|फीस|शुल्क/u],
  ["time", /\b(time|slot)\b|సమయం|समय/u],
  ["date", /\b(date|day|visit|appointment|appt|visited on)\b|తేదీ|तारीख|दिनांक/u],
  ["name", /\b(name|patient|pt|patientname|fullname)\b|పేరు|రోగి|नाम|मरीज|मरीज़/u],
  ["note", /\b(note|notes|remark|remarks|comment|comments)\b|గమనిక|टिप्पणी|नोट/u],
];
/** Headers of what is never imported: measurements and counts. */
const LEFT_OUT = /^(bp|pulse|weight|wt|height|ht|temp|spo2|s\.?\s*no|sl\.?\s*no|sr\.?\s*no|sno|slno|#)\.?$/;

const plain = (header: string) =>
  oneLine(plainDigits(header))
    .toLowerCase()
    .replace(/[_.:-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

function byHeader(header: string, fields: readonly ImportField[]): Guess {
  const text = plain(header);
  if (!text) return undefined;
  if (LEFT_OUT.test(text)) return null;
  const field = HEADERS.find(([, words]) => words.test(text))?.[0];
  // "Doctor name" among patients is no name of a patient.
  return field && fields.includes(field) ? field : undefined;
}
/** Most examples have to agree. */
function byContent(examples: string[], fields: readonly ImportField[]): Guess {
  const filled = examples.filter(Boolean);
  if (!filled.length) return null;
  const most = (test: (cell: string) => boolean) => filled.filter(test).length * 2 > filled.length;
  const tests: [ImportField, (cell: string) => boolean][] = [
    [
      "phone",
      (cell) => {
        const read = readPhone(cell);
        return read !== null && !isProblem(read);
      },
    ],
    ["blood", (cell) => readBlood(cell) !== null],
    ["gender", (cell) => readGender(cell) !== null],
  ];
  return tests.find(([field, test]) => fields.includes(field) && most(test))?.[0];
}

/** Returns the guess of each column. A field is guessed for one column: names first, then contents. */
export function guessColumns(kind: ImportKind, columns: FileColumn[]): Guess[] {
  const fields = fieldsOf(kind);
  const taken = new Set<ImportField>();
  const take = (guess: Guess): Guess => {
    if (!guess) return guess;
    if (taken.has(guess)) return undefined;
    taken.add(guess);
    return guess;
  };
  const named = columns.map(({ header }) => take(byHeader(header, fields)));
  return named.map((guess, i) => (guess === undefined ? take(byContent(columns[i]!.examples, fields)) : guess));
}

export type DateQuestion = { row: number; column: string; value: string };
/** What the dates of a column say of their order. `ask`: a value that has two readings. */
export type DateFacts = { dayFirst: boolean; monthFirst: boolean; ask: DateQuestion | null };

/** Adds what a cell says. */
export function noteDate(facts: DateFacts, cell: DateQuestion): void {
  const found = orderOfDate(cell.value);
  if (!found) return;
  const { first, second } = found;
  if (first > 12 && second <= 12) facts.dayFirst = true;
  else if (second > 12 && first <= 12) facts.monthFirst = true;
  else if (first !== second && first <= 12 && second <= 12) facts.ask ??= cell;
}

/** Returns whether the day or the month comes first in these columns. `ask`: where the file does not decide, or contradicts itself. */
export function dateOrderOf(columns: readonly DateFacts[]): { order: DateOrder; isDecided: boolean; ask: DateQuestion | null } {
  const dayFirst = columns.some((one) => one.dayFirst);
  const monthFirst = columns.some((one) => one.monthFirst);
  const isDecided = dayFirst !== monthFirst;
  const ask = isDecided ? null : (columns.find((one) => one.ask)?.ask ?? null);
  return { order: isDecided && monthFirst ? "mdy" : "dmy", isDecided, ask };
}
