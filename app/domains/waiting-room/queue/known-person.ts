import type { DateKey } from "#app/lib/dates.ts";
import { isDateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone, type Phone } from "#app/lib/phone.ts";
import { plainName } from "#app/lib/plain-name.ts";
import { GENDERS, type Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** A patient who had an appointment before, or whom the clinic has imported: such a one may have no age or gender. `phone`: found by the name. */
export type KnownPerson = { name: string; age: number | null; birthDate: DateKey | null; gender: Gender | null; phone?: Phone | null };

/** The choice of a patient whose name is typed. */
export const ANOTHER = "another";
/** The choice of a further patient with the typed name. */
export const TWIN = "twin";

/** Reads which of several patients of the typed name was chosen: none, a further one, or the one whose name is the value. */
export const nameChosen = ({ name, who }: { name: string; who?: string | undefined }): { name: string; choice?: "same" | "another" } =>
  !who ? { name } : who === TWIN ? { name, choice: "another" } : { name: (who.split("|")[0] || name).slice(0, 120), choice: "same" };

/** Returns the value of the choice of a known patient: "name|age|gender|birth date|phone". What is not known is empty, or left out at the end. */
export const knownValue = ({ name, age, gender, birthDate, phone }: KnownPerson): string =>
  [name, age ?? "", gender ?? "", ...(birthDate || phone ? [birthDate ?? ""] : []), ...(phone ? [phone] : [])].join("|");

/** Reads the value of a choice. null for another text. */
export function readKnown(value: string): KnownPerson | null {
  const [, name = "", years = "", sex = "", birth = "", typed = ""] =
    /^(.+)\|(\d{0,3})\|(\w*)(?:\|([\d-]*))?(?:\|(\+\d+))?$/.exec(value) ?? [];
  const gender = GENDERS.find((one) => one === sex) ?? null;
  if (!name || (sex && !gender) || (years && (Number(years) < 1 || Number(years) > 120))) return null;
  const phone = normalisePhone(typed);
  return { name, age: years ? Number(years) : null, gender, birthDate: isDateKey(birth) ? birth : null, ...(phone && { phone }) };
}

/** Returns the choice that is made already: only the one patient of a phone. Those of a name may be strangers. */
export const chosenAtFirst = (people: readonly KnownPerson[]): string | undefined =>
  people.length === 1 && people[0]!.phone === undefined ? knownValue(people[0]!) : undefined;

/** Refuses a form that shows known patients (`shown`) of whom none is chosen, or that has another phone than the chosen one. The list comes back. */
export function refuseChoice(form: FormData): DomainError | undefined {
  const who = String(form.get("who") ?? "");
  const shown = form.getAll("shown").flatMap((value) => readKnown(String(value)) ?? []);
  const refuse = (field: string, sentence: string, people: KnownPerson[]) =>
    new DomainError("invalid", sentence, { fields: { [field]: [sentence] }, detail: { people } });
  if (!who && shown.length) return refuse("who", m.queue_choose_person(), shown);
  const person = readKnown(who);
  const typed = String(form.get("phone") ?? "").trim();
  if (!person?.phone || !typed || normalisePhone(typed) === person.phone) return undefined;
  return refuse("phone", m.queue_other_phone(), shown.length ? shown : [person]);
}

/** Fills in a form what is known of the chosen patient: the phone of one who was found by the name, too. */
export function fillInKnown(form: FormData): void {
  const person = readKnown(String(form.get("who") ?? ""));
  if (!person) return;
  const { name, age, birthDate, gender, phone } = person;
  const known = { name, age, dateOfBirth: birthDate ?? (age ? "" : null), gender, phone };
  for (const [field, value] of Object.entries(known)) if (value !== null && value !== undefined) form.set(field, String(value));
}

/** Returns the stored birth date of the known patient with this name. */
export const birthDateOfKnown = (known: readonly KnownPerson[], name: string): DateKey | null =>
  known.find((person) => isSameName(person.name, name))?.birthDate ?? null;
export const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b);

/** What is typed to find a patient: a phone, or a part of the name or the clinic's number. */
export type Typed = { phone: Phone; name?: undefined } | { phone?: undefined; name: string };
export const typedOf = ({ phone, name = "" }: { phone?: Phone | undefined; name?: string | undefined }): Typed =>
  phone ? { phone } : { name };
