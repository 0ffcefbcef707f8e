import { type Language, language } from "./language.ts";

/** The texts of a doctor or a hospital that have translations. A doctor's `name` translates `fullName`, `treats` the additional specialties. */
export type TranslatedText = "name" | "area" | "address" | "about" | "treats" | "hours";

/**
 * Texts of a row in other languages: `{ te: { name: "…", about: "…" } }`. A missing text falls back to the column: in SQL by `inLanguage`
 * (`db/in-language.server.ts`), where a text is needed in several languages by `textIn`.
 */
export type Translations = Partial<Record<"te" | "hi", Partial<Record<TranslatedText, string>>>>;

/** Returns the text of a row in a language, or `original`. */
export const textIn = <T extends string | null>(
  translations: Translations | null,
  key: TranslatedText,
  original: T,
  spoken: Language = language(),
): T | string => (spoken !== "en" && translations?.[spoken]?.[key]) || original;

/** A doctor's name with its translations, as `doctorNames` (`db/in-language.server.ts`) selects them. */
export type DoctorNames = { name: string; translations: Translations };

/** Returns the params of a notification that name a doctor: its text is written for each reader later, in the script of their language. */
export function doctorParams(doctor: DoctorNames | undefined): { doctor: string; doctorTe?: string; doctorHi?: string } {
  const { te, hi } = doctor?.translations ?? {};
  return { doctor: doctor?.name ?? "", ...(te?.name && { doctorTe: te.name }), ...(hi?.name && { doctorHi: hi.name }) };
}

/** Returns the doctor's name of a notification in the current language. */
export const doctorOf = ({ doctor = "", doctorTe = "", doctorHi = "" }: Partial<Record<string, string>>): string =>
  ({ en: doctor, te: doctorTe || doctor, hi: doctorHi || doctor })[language()];
