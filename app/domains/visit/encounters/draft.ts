import type { DraftLine, VisitDraft } from "#app/db/schema/index.ts";
import { addDays, type DateKey, isDateKey } from "#app/lib/dates.ts";
import type { Language } from "#app/lib/language.ts";
import { ADVICE } from "../medicines/advice.ts";
import { EMPTY_LINE, isEmptyLine, MOST_LINES, spreadLine } from "../medicines/line.ts";

export type { VisitDraft };

/** Most characters of a text of the note. */
export const MOST_TEXT = 4000;

/** Choices of the next visit, in days. */
export const FOLLOW_UPS = { none: null, "3-days": 3, "1-week": 7, "2-weeks": 14, "1-month": 30, "3-months": 90 } as const;

export const emptyDraft = (language: Language): VisitDraft => ({
  complaint: "",
  findings: "",
  diagnosis: "",
  diagnosisCode: "",
  allergies: "",
  conditions: "",
  lines: [EMPTY_LINE],
  advice: [],
  adviceWords: "",
  followUp: "none",
  followUpDate: "",
  language,
  patientAge: "",
  patientBirthDate: "",
  patientGender: "",
});

/** The field of a form for each part of a line: `medicine_1`, `dose_1_morning`. */
export const LINE_FIELDS: Record<keyof DraftLine, (n: number) => string> = {
  name: (n) => `medicine_${n}`,
  brand: (n) => `brand_${n}`,
  strength: (n) => `strength_${n}`,
  form: (n) => `form_${n}`,
  route: (n) => `route_${n}`,
  morning: (n) => `dose_${n}_morning`,
  noon: (n) => `dose_${n}_noon`,
  evening: (n) => `dose_${n}_evening`,
  night: (n) => `dose_${n}_night`,
  every: (n) => `every_${n}`,
  food: (n) => `food_${n}`,
  days: (n) => `days_${n}`,
  quantity: (n) => `quantity_${n}`,
  asNeeded: (n) => `as_needed_${n}`,
  substitution: (n) => `substitution_${n}`,
  words: (n) => `words_${n}`,
};

/** Reads the form of a visit as it was typed. `get` returns the text of a field, "" without one. Nothing is refused here. */
export function readDraft(get: (name: string) => string, language: Language): VisitDraft {
  const text = (name: string) => get(name).slice(0, MOST_TEXT);
  const count = Math.min(MOST_LINES, Math.max(0, Math.trunc(Number(get("lines"))) || 0));
  const lines = Array.from({ length: count }, (_, i) => {
    const parts = Object.entries(LINE_FIELDS).map(([key, field]) => [key, get(field(i + 1)).slice(0, 400)]);
    return spreadLine(Object.fromEntries(parts) as DraftLine);
  });
  const chosen = get("language");
  return {
    complaint: text("complaint"),
    findings: text("findings"),
    diagnosis: text("diagnosis"),
    diagnosisCode: text("diagnosis_code"),
    allergies: text("allergies"),
    noAllergies: get("no_allergies") === "on" ? "on" : "",
    conditions: text("conditions"),
    lines,
    advice: ADVICE.filter((key) => get(`advice_${key}`) === "on"),
    adviceWords: text("advice"),
    followUp: text("follow_up"),
    followUpDate: text("follow_up_date"),
    twice: text("twice"),
    language: chosen === "en" || chosen === "te" || chosen === "hi" ? chosen : language,
    patientAge: text("patient_age"),
    patientBirthDate: text("patient_birth_date"),
    patientGender: text("patient_gender"),
  };
}

/** Adds lines at the end; empty ones before them are left out. Never more than MOST_LINES. */
export const withLines = (draft: VisitDraft, more: readonly DraftLine[]): VisitDraft => ({
  ...draft,
  lines: [...draft.lines.filter((line) => !isEmptyLine(line)), ...more].slice(0, MOST_LINES),
});

/** Returns the day of the next visit: the typed date, else the choice counted from `today`. undefined: not a date after today. */
export function followUpOf(draft: VisitDraft, today: DateKey): DateKey | null | undefined {
  const typed = draft.followUpDate.trim();
  if (typed) return isDateKey(typed) && typed > today && typed <= addDays(today, 730) ? typed : undefined;
  const days = Object.hasOwn(FOLLOW_UPS, draft.followUp) ? FOLLOW_UPS[draft.followUp as keyof typeof FOLLOW_UPS] : null;
  return days === null ? null : addDays(today, days);
}
