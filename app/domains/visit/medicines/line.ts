import type { DraftLine } from "#app/db/schema/index.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { FOOD_TIMES, type FoodTime, MEDICINE_FORMS, MEDICINE_ROUTES, type MedicineForm, type MedicineRoute } from "#app/lib/vocabulary.ts";

/** Morning, noon, evening, night, in units of the form (`DOSE_LIMITS`). */
export type Dose = readonly [number, number, number, number];

/** A medicine of a signed prescription. */
export type MedicineLine = {
  name: string;
  brand: string | null;
  strength: string | null;
  form: MedicineForm;
  route: MedicineRoute;
  dose: Dose;
  /** 1: daily. 7: once a week. */
  everyNDays: number;
  food: FoodTime;
  /** null: only for a medicine that is taken when needed. */
  days: number | null;
  quantity: number | null;
  asNeeded: boolean;
  substitution: boolean;
  words: string | null;
  /**
   * 2: amounts are written with their unit and as fractions, and food also for injections. Absent in prescriptions that were signed before: they stay in the
   * words in which they were signed.
   */
  wording?: 2;
};

/** The route that a form has anyway. */
export const USUAL: Partial<Record<MedicineForm, MedicineRoute>> = {
  inhaler: "inhaled",
  injection: "injection",
  insulin: "injection",
  cream: "skin",
  ointment: "skin",
};

/** Most medicines of a prescription, and most characters of their texts. */
export const MOST_LINES = 20;
export const MOST_NAME = 100;
const MOST_WORDS = 300;
export const MOST_DAYS = 365;

export const EMPTY_LINE: DraftLine = {
  name: "",
  brand: "",
  strength: "",
  form: "tablet",
  route: "mouth",
  morning: "",
  noon: "",
  evening: "",
  night: "",
  every: "1",
  food: "after",
  days: "",
  quantity: "",
  asNeeded: "",
  substitution: "on",
  words: "",
};

/** What is wrong with a field of a line. The form has a sentence for each (problem-words.ts). */
export type LineProblem = "missing" | "long" | "dose" | "thousands" | "no-dose" | "days" | "number";
export type LineProblems = Partial<Record<keyof DraftLine, LineProblem>>;

/** The largest dose at one time, and its steps: 0.25 are quarters. */
export const DOSE_LIMITS: Record<MedicineForm, { most: number; step: 0.25 | 0.5 | 1 }> = {
  tablet: { most: 10, step: 0.25 },
  capsule: { most: 10, step: 0.5 },
  syrup: { most: 4, step: 0.5 },
  liquid: { most: 100, step: 0.5 },
  drops: { most: 20, step: 1 },
  inhaler: { most: 10, step: 1 },
  injection: { most: 4, step: 0.5 },
  insulin: { most: 100, step: 0.5 },
  cream: { most: 6, step: 0.5 },
  ointment: { most: 6, step: 0.5 },
  powder: { most: 10, step: 0.5 },
  sachet: { most: 10, step: 0.5 },
  other: { most: 100, step: 0.25 },
};

/** Reads an amount: "", "½", "1/4", "0.5", "1½", "1 1/2", "2". null: not one that the form has (`DOSE_LIMITS`). */
export function readAmount(typed: string, form: MedicineForm = "tablet"): number | null {
  const text = plainDigits(typed)
    .trim()
    .replace(",", ".")
    .replace(/\s*(½|1\/2)$/, ".5")
    .replace(/\s*(¼|1\/4)$/, ".25")
    .replace(/\s*(¾|3\/4)$/, ".75");
  if (text === "") return 0;
  if (!/^\d{0,3}(\.\d{1,2})?$/.test(text)) return null;
  const amount = Number(text);
  const { most, step } = DOSE_LIMITS[form];
  return amount <= most && Number.isInteger(amount / step) ? amount : null;
}

/** "60,000" and "1000": a strength, typed as a dose. */
const isThousands = (typed: string): boolean => /^[\d.,]*,\d{3}$|^\d{4,}$/.test(plainDigits(typed).trim());

const readWhole = (typed: string, most: number): number | null | undefined => {
  const text = plainDigits(typed).trim();
  if (text === "") return null;
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined;
};
const oneOf = <T extends string>(list: readonly T[], value: string): T | undefined => list.find((one) => one === value);

/** Returns the form of a typed line. */
export const formOf = (typed: string): MedicineForm => oneOf(MEDICINE_FORMS, typed) ?? "other";

/** True when the doctor has typed nothing in a line yet. Such a line is left out. */
export const isEmptyLine = (line: DraftLine): boolean =>
  [line.name, line.brand, line.strength, line.morning, line.noon, line.evening, line.night, line.words, line.quantity].every(
    (text) => text.trim() === "",
  );

/** A word of a name, also "B12" and "D3". A word with any other number may be a strength. */
const WORD = "(?:\\p{L}{1,2}\\d{1,2}|\\p{L}[\\p{L}\\p{M}]*(?:[-'’][\\p{L}\\p{M}]+)*\\.?)";
const NUMBER = "\\d+(?:[.,]\\d+)*";
const PER_ML = "\\s*/\\s*\\d*\\s*ml";
/** "5 ml", "10 units" and "10 IU" may be doses: units need their "/ml", or "IU" thousands. */
const STRENGTH = `${NUMBER}\\s*(?:(?:mg|mcg|µg|g)(?:${PER_ML})?|%|(?:iu|units?)${PER_ML})|(?:\\d{4,}|\\d{1,3}(?:,\\d{2,3})+)\\s*iu`;
const WITH_STRENGTH = new RegExp(`^((?:${WORD}\\s+)*${WORD})(?<!\\s(?:per|in|of|to|or|and|plus|with))\\s+(${STRENGTH})$`, "iu");
const AMOUNT = "([^\\s–-]{1,5})";
const DASH = "\\s*[–-]\\s*";
const ALL_DOSES = new RegExp(`^${AMOUNT}${DASH}${AMOUNT}${DASH}${AMOUNT}(?:${DASH}${AMOUNT})?$`);
/** "1-1/2-0-1" may mean one and a half. */
const isMixed = (amounts: readonly string[]): boolean =>
  amounts.some((amount, i) => /^(?:[½¼¾]|\d\/\d|[.,]\d+)$/.test(amount) && /^[1-9]\d*$/.test(amounts[i - 1] ?? ""));

/**
 * Moves what doctors write in one go into its fields, when those are empty: "Paracetamol 500 mg" as the name has a strength, and "1-0-1" (morning, noon,
 * night) or "1-0-0-1" as the morning has all doses. What can be read in two ways stays as it is typed.
 */
export function spreadLine(typed: DraftLine): DraftLine {
  const line = { ...typed };
  const named = line.strength.trim() === "" && WITH_STRENGTH.exec(line.name.trim());
  if (named) [, line.name = "", line.strength = ""] = named;
  const areFree = [line.noon, line.evening, line.night].every((text) => text.trim() === "");
  const doses = areFree ? (ALL_DOSES.exec(line.morning.trim())?.slice(1) ?? []) : [];
  if (doses.length && !isMixed(doses.map((amount = "") => plainDigits(amount)))) {
    const [morning = "", noon = "", third = "", fourth] = doses;
    Object.assign(line, { morning, noon, ...(fourth === undefined ? { night: third } : { evening: third, night: fourth }) });
  }
  return line;
}

/** Reads a typed line: the medicine, or what is wrong by field. */
export function readLine(typed: DraftLine): { line: MedicineLine; problems?: undefined } | { problems: LineProblems } {
  const problems: LineProblems = {};
  const text = (field: "name" | "brand" | "strength" | "words", most = MOST_NAME): string | null => {
    const value = typed[field].trim().replace(/\s+/g, " ");
    if (value.length > most) problems[field] = "long";
    return value || null;
  };
  const name = text("name");
  if (!name) problems.name = "missing";
  const form = formOf(typed.form);
  const dose = (["morning", "noon", "evening", "night"] as const).map((part) => {
    const amount = readAmount(typed[part], form);
    if (amount === null) problems[part] = isThousands(typed[part]) ? "thousands" : "dose";
    return amount ?? 0;
  }) as unknown as Dose;
  const asNeeded = typed.asNeeded === "on";
  const hasDose = dose.some((amount) => amount > 0);
  if (!hasDose && !asNeeded && !problems.morning) problems.morning = "no-dose";
  const whole = (field: "every" | "days" | "quantity", most: number) => {
    const value = readWhole(typed[field], most);
    if (value === undefined) problems[field] = field === "days" ? "days" : "number";
    return value ?? null;
  };
  const everyNDays = whole("every", 90) ?? 1;
  const days = whole("days", MOST_DAYS);
  if (days === null && !asNeeded && !problems.days) problems.days = "missing";
  const chosen = oneOf(MEDICINE_ROUTES, typed.route) ?? "other";
  // A form begins with the mouth: insulin is not swallowed.
  const route = chosen === "mouth" ? (USUAL[form] ?? chosen) : chosen;
  const food = oneOf(FOOD_TIMES, typed.food) ?? "any";
  const line: MedicineLine = {
    name: name ?? "",
    brand: text("brand"),
    strength: text("strength"),
    form,
    route,
    dose,
    everyNDays,
    food,
    days,
    quantity: whole("quantity", 999),
    asNeeded,
    substitution: typed.substitution === "on",
    words: text("words", MOST_WORDS),
    wording: 2,
  };
  return Object.keys(problems).length ? { problems } : { line };
}

const FRACTIONS: Record<number, string> = { 0: "", 0.25: "¼", 0.5: "½", 0.75: "¾" };
/** Returns an amount as it is typed: "", "½", "12½". */
export const typedAmount = (amount: number): string => (amount === 0 ? "" : `${Math.floor(amount) || ""}${FRACTIONS[amount % 1] ?? ""}`);

/** Returns a signed medicine as a line of a form. */
export function draftOfLine(line: MedicineLine): DraftLine {
  const [morning, noon, evening, night] = line.dose;
  return {
    name: line.name,
    brand: line.brand ?? "",
    strength: line.strength ?? "",
    form: line.form,
    route: line.route,
    morning: typedAmount(morning),
    noon: typedAmount(noon),
    evening: typedAmount(evening),
    night: typedAmount(night),
    every: String(line.everyNDays),
    food: line.food,
    days: line.days === null ? "" : String(line.days),
    quantity: line.quantity === null ? "" : String(line.quantity),
    asNeeded: line.asNeeded ? "on" : "",
    substitution: line.substitution ? "on" : "",
    words: line.words ?? "",
  };
}
