import type { Language } from "#app/lib/language.ts";
import type { FoodTime, MedicineForm, MedicineRoute } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type Advice, isAdvice } from "./advice.ts";
import { type MedicineLine, typedAmount, USUAL } from "./line.ts";

type In = { locale: Language };
type Unit = (inputs: { n: string; size: string }, options: In) => string;

/** What one unit of a form is called; a tablet is only a number in English. */
const UNITS: Record<MedicineForm, Unit | null> = {
  tablet: m.dose_unit_tablet,
  capsule: m.dose_unit_capsule,
  syrup: m.dose_unit_syrup,
  liquid: m.dose_unit_liquid,
  drops: m.dose_unit_drops,
  inhaler: m.dose_unit_inhaler,
  injection: m.dose_unit_injection,
  insulin: m.dose_unit_insulin,
  cream: m.dose_unit_cream,
  ointment: m.dose_unit_cream,
  powder: m.dose_unit_powder,
  sachet: m.dose_unit_powder,
  other: null,
};
const PARTS = [m.dose_morning, m.dose_noon, m.dose_evening, m.dose_night] as const;
const FOODS = { after: m.dose_food_after, before: m.dose_food_before, any: m.dose_food_any } as const;
const ROUTES: Record<MedicineRoute, typeof m.dose_route_mouth | null> = {
  mouth: m.dose_route_mouth,
  tongue: m.dose_route_tongue,
  skin: m.dose_route_skin,
  inhaled: m.dose_route_inhaled,
  injection: m.dose_route_injection,
  eye: m.dose_route_eye,
  ear: m.dose_route_ear,
  nose: m.dose_route_nose,
  other: null,
};

type Written = Pick<MedicineLine, "form" | "wording">;

function amountOf(amount: number, { form, wording }: Written, locale: Language): string {
  const said = m.dose_number({ n: String(amount) }, { locale });
  // A point that is overlooked makes 45 of 4.5.
  const n = wording && said === String(amount) ? typedAmount(amount) : said;
  const unit = UNITS[form];
  return unit ? unit({ n, size: amount === 0.5 ? "half" : amount < 2 ? "one" : "many" }, { locale }) : n;
}

/** Returns what the amounts of a form are counted in, "spoons (5 ml each)"; "" for tablets in English. */
export const unitWord = (form: MedicineForm, locale: Language): string => UNITS[form]?.({ n: "", size: "many" }, { locale }).trim() ?? "";

/** Returns "once a week" and such; null for a daily medicine. */
export function oftenWord(every: number, locale: Language): string | null {
  if (every === 1) return null;
  if (every === 7) return m.dose_weekly({}, { locale });
  return every === 2 ? m.dose_alternate({}, { locale }) : m.dose_every({ n: String(every) }, { locale });
}

type Taken = Pick<MedicineLine, "form" | "wording" | "route" | "dose" | "everyNDays" | "food" | "days" | "quantity" | "asNeeded">;

/** Returns when food is, for what is swallowed or injected; null where food does not matter. */
export function foodOf({ wording, route, food, dose }: Pick<Taken, "wording" | "route" | "food" | "dose">): FoodTime | null {
  if (route === "mouth") return food !== "any" || dose.some((amount) => amount > 0) ? food : null;
  return wording && route === "injection" && food !== "any" ? food : null;
}

/**
 * Returns how a medicine is taken, as one sentence: "Morning ½, night ½, after food, 30 days". Every sentence about a dose on a page, a print or
 * a check is this one, so that no two can contradict each other.
 */
export function doseSentence(line: Taken, locale: Language): string {
  const language = { locale };
  const { dose, form, route, everyNDays: every } = line;
  const parts = PARTS.map((part, i) => {
    const amount = dose[i] ?? 0;
    return amount > 0 ? part({ amount: amountOf(amount, line, locale) }, language) : null;
  });
  const swallowed = route === "mouth";
  const food = foodOf(line);
  const facts: (string | null)[] = [
    line.asNeeded ? m.dose_as_needed({}, language) : null,
    oftenWord(every, locale),
    ...parts,
    swallowed || USUAL[form] === route ? null : (ROUTES[route]?.({}, language) ?? null),
    food && FOODS[food]({}, language),
    line.days === null ? null : m.dose_days({ n: String(line.days) }, language),
    line.quantity === null ? null : m.dose_total({ n: String(line.quantity) }, language),
  ];
  const sentence = facts.filter((part) => part !== null).join(", ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Returns an amount as a table of doses shows it: "0", "½", "1½", "2 spoons (5 ml each)". */
export function amountWord(amount: number, line: Written): string {
  if (amount === 0) return "0";
  return line.wording ? amountOf(amount, line, "en") : m.dose_number({ n: String(amount) }, { locale: "en" });
}

const ADVICE_WORDS: Record<Advice, typeof m.dose_advice_water> = {
  water: m.dose_advice_water,
  rest: m.dose_advice_rest,
  walk: m.dose_advice_walk,
  "less-salt": m.dose_advice_less_salt,
  "less-sugar": m.dose_advice_less_sugar,
  "no-smoking": m.dose_advice_no_smoking,
  "finish-course": m.dose_advice_finish_course,
  "bring-reports": m.dose_advice_bring_reports,
  "come-if-worse": m.dose_advice_come_if_worse,
};
/** Returns an advice of the common list as a sentence. Unknown keys give nothing. */
export const adviceWord = (key: string, locale: Language): string => (isAdvice(key) ? ADVICE_WORDS[key]({}, { locale }) : "");
