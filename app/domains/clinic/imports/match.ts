/** Decides what happens to each row. No guess is made where two persons are possible. */
import type { Phone } from "#app/lib/phone.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import type { PatientRow } from "./rows.ts";
import { type Born, mayBeSameAge, nameKey } from "./values.ts";

/** Why a row is asked about. */
export const QUESTIONS = [
  "same-phone",
  "same-name",
  "same-number",
  "other-age",
  "twice",
  "doctor-unknown",
  "doctor-needed",
  "patient-unknown",
  "patient-unclear",
  "time-taken",
  "time-closed",
  "day-full",
] as const;
export type Question = (typeof QUESTIONS)[number];

/** A person of the clinic, or of an earlier row of the file (`row`). */
export type KnownPerson = {
  id: string;
  row: number | null;
  name: string;
  phone: Phone | null;
  number: string | null;
  born: Born | null;
  gender: Gender | null;
  address?: string | null;
};
export type Verdict =
  | { group: "new" }
  | { group: "here"; person: KnownPerson }
  | { group: "decision"; question: Question; person: KnownPerson };

/** What decides that two numbers of a clinic are the same. */
export const numberKey = (number: string) => number.toLowerCase().replace(/\s+/g, "");

/** The persons of a clinic by what identifies them. */
export class People {
  private readonly byPhone = new Map<string, KnownPerson[]>();
  private readonly byName = new Map<string, KnownPerson[]>();
  private readonly byNumber = new Map<string, KnownPerson[]>();

  constructor(people: Iterable<KnownPerson> = []) {
    for (const person of people) this.add(person);
  }

  add(person: KnownPerson): void {
    const into = (map: Map<string, KnownPerson[]>, key: string | null) => {
      if (!key) return;
      const known = map.get(key);
      if (known) known.push(person);
      else map.set(key, [person]);
    };
    into(this.byPhone, person.phone);
    into(this.byName, nameKey(person.name));
    into(this.byNumber, person.number && numberKey(person.number));
  }

  /** True for a person of the same name and phone. */
  has(person: KnownPerson): boolean {
    return this.withPhone(person.phone).some(({ name }) => nameKey(name) === nameKey(person.name));
  }
  withNumber(number: string | null): KnownPerson[] {
    return (number && this.byNumber.get(numberKey(number))) || [];
  }
  withPhone(phone: Phone | null): KnownPerson[] {
    return (phone && this.byPhone.get(phone)) || [];
  }
  withName(name: string): KnownPerson[] {
    return this.byName.get(nameKey(name)) ?? [];
  }
}

/** Returns the group of a row of patients. Rows of one file with different names are different persons: the register lists each. */
export function placePatient(row: PatientRow, people: People): Verdict {
  const key = nameKey(row.name);
  const isNamed = (person: KnownPerson) => nameKey(person.name) === key;
  const numbersDiffer = (person: KnownPerson) => !!row.number && !!person.number && numberKey(row.number) !== numberKey(person.number);
  const ask = (question: Question, person: KnownPerson): Verdict => ({ group: "decision", question, person });

  const numbered = people.withNumber(row.number);
  const sameNumber = numbered.find(isNamed);
  if (sameNumber && (!row.phone || !sameNumber.phone || row.phone === sameNumber.phone))
    return mayBeSameAge(row.born, sameNumber.born) ? { group: "here", person: sameNumber } : ask("other-age", sameNumber);
  if (numbered[0]) return ask("same-number", sameNumber ?? numbered[0]);

  const onPhone = people.withPhone(row.phone);
  const sameName = onPhone.filter(isNamed);
  const same = sameName.find((person) => mayBeSameAge(row.born, person.born) && !numbersDiffer(person));
  if (same) return { group: "here", person: same };
  if (sameName[0]) return ask(sameName[0].row === null ? "other-age" : "twice", sameName[0]);
  const otherName = onPhone.find(({ row }) => row === null);
  if (otherName) return ask("same-phone", otherName);

  const namesake = people.withName(row.name).find((person) => person.row === null && !numbersDiffer(person));
  if (namesake) return ask("same-name", namesake);
  const again =
    row.phone === null ? people.withName(row.name).find((person) => person.phone === null && !numbersDiffer(person)) : undefined;
  return again ? ask("twice", again) : { group: "new" };
}

type Compared = Pick<KnownPerson, "phone" | "number" | "born" | "gender" | "address">;
/** What helps to decide whether two persons with one name or phone are the same. */
const COMPARED = ["phone", "born", "gender", "number", "address"] as const satisfies readonly (keyof Compared)[];

/** Returns what both say, and say differently. */
export function differencesOf(a: Compared, b: Compared): (typeof COMPARED)[number][] {
  const differs: Record<(typeof COMPARED)[number], boolean> = {
    phone: a.phone !== b.phone,
    born: !mayBeSameAge(a.born, b.born),
    gender: a.gender !== b.gender,
    number: numberKey(a.number ?? "") !== numberKey(b.number ?? ""),
    address: nameKey(a.address ?? "") !== nameKey(b.address ?? ""),
  };
  return COMPARED.filter((field) => a[field] && b[field] && differs[field]);
}

/** Returns the patient of an appointment: by the clinic's number, or by phone and name. A number that two have, or a phone of another, is asked. */
export function findPatient(
  of: { number: string | null; phone: Phone | null; name: string | null },
  people: People,
): { person: KnownPerson } | { question: "patient-unknown" } | { question: "patient-unclear"; person: KnownPerson } {
  const isNamed = ({ name }: KnownPerson) => of.name === null || nameKey(name) === nameKey(of.name);
  const numbered = people.withNumber(of.number);
  const onPhone = people.withPhone(of.phone);
  const both = numbered.filter(isNamed);
  const [first] = both;
  if (first && both.length === 1 && (first.phone === of.phone || !onPhone.length)) return { person: first };
  if (numbered[0]) return { question: "patient-unclear", person: first ?? numbered[0] };
  const named = onPhone.filter(isNamed);
  if (named.length === 1 && of.name !== null) return { person: named[0]! };
  if (onPhone[0]) return { question: "patient-unclear", person: named[0] ?? onPhone[0] };
  const namesakes = of.name === null || of.phone !== null ? [] : people.withName(of.name);
  if (namesakes[0]) return { question: "patient-unclear", person: namesakes[0] };
  return { question: "patient-unknown" };
}
