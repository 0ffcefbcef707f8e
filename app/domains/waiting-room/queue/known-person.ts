import type { DateKey } from "#app/lib/dates.ts";
import { isDateKey } from "#app/lib/dates.ts";
import { GENDERS, type Gender } from "#app/lib/vocabulary.ts";

/** A patient of a phone who had an appointment before. */
export type KnownPerson = { name: string; age: number; birthDate: DateKey | null; gender: Gender };

/** The choice of a further patient with the typed name. */
export const TWIN = "twin";

/** Reads which of several patients of the typed name was chosen: none, a further one, or the one whose name is the value. */
export const nameChosen = ({ name, who }: { name: string; who?: string | undefined }): { name: string; choice?: "same" | "another" } =>
  !who ? { name } : who === TWIN ? { name, choice: "another" } : { name: (who.split("|")[0] || name).slice(0, 120), choice: "same" };

/** Returns the value of the choice of a known patient: "name|age|gender", then the birth date where it is known. */
export const knownValue = ({ name, age, gender, birthDate }: KnownPerson): string =>
  [name, age, gender, birthDate].filter((part) => part !== null).join("|");

/** Reads the value of a choice. null for another text. The birth date may be left out. */
export function readKnown(value: string): KnownPerson | null {
  const [, name = "", age = "", sex = "", birth = ""] = /^(.+)\|(\d{1,3})\|(\w+)(?:\|([\d-]*))?$/.exec(value) ?? [];
  const gender = GENDERS.find((one) => one === sex);
  if (!name || !gender || Number(age) < 1 || Number(age) > 120) return null;
  return { name, age: Number(age), gender, birthDate: isDateKey(birth) ? birth : null };
}

/** Returns the stored birth date of the known patient with this name. */
export const birthDateOfKnown = (known: readonly KnownPerson[], name: string): DateKey | null =>
  known.find((person) => sameName(person.name) === sameName(name))?.birthDate ?? null;
const sameName = (name: string) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
