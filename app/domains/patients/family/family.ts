import { type Age, ageFrom, ageWord } from "#app/lib/age.ts";
import { ageOn, type DateKey } from "#app/lib/dates.ts";
import type { BloodGroup, Gender, Relation } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Most family members of an account. Bounds the choice of the booking form. */
export const MAX_FAMILY = 20;

/** Facts about an age: the birth date, or the age on a day. */
export type AgeFacts = { dateOfBirth: DateKey | null; age: number | null; ageOn: DateKey | null };
/** Returns the age on `today`: from the birth date, otherwise the entered age plus the years since. */
export function exactAgeOf(facts: AgeFacts, today: DateKey): Age {
  if (facts.dateOfBirth !== null) return ageFrom(facts.dateOfBirth, today);
  const since = facts.ageOn === null ? 0 : Math.max(0, ageOn(facts.ageOn, today));
  return { count: (facts.age ?? 0) + since, unit: "years", ...(since > 0 && { about: true }) };
}
/** Returns whole years on `today`. */
export function ageOf(facts: AgeFacts, today: DateKey): number {
  return facts.dateOfBirth === null ? exactAgeOf(facts, today).count : Math.max(0, ageOn(facts.dateOfBirth, today));
}

export type FamilyMember = {
  id: string;
  name: string;
  relation: Relation;
  gender: Gender;
  bloodGroup: BloodGroup | null;
  /** The account said that they have no known allergy. */
  noAllergies: boolean;
  dateOfBirth: DateKey | null;
  /** Whole years today. */
  age: number;
  exactAge: Age;
};

const RELATION: Record<Relation, () => string> = {
  mother: () => m.family_mother(),
  father: () => m.family_father(),
  wife: () => m.family_wife(),
  husband: () => m.family_husband(),
  daughter: () => m.family_daughter(),
  son: () => m.family_son(),
  sister: () => m.family_sister(),
  brother: () => m.family_brother(),
  grandmother: () => m.family_grandmother(),
  grandfather: () => m.family_grandfather(),
  grandson: () => m.family_grandson(),
  granddaughter: () => m.family_granddaughter(),
  other: () => m.family_other(),
};
export const relationWord = (relation: Relation) => RELATION[relation]();

/** Returns "Son, 7 years". */
export const factsWord = ({ relation, exactAge }: Pick<FamilyMember, "relation" | "exactAge">) =>
  m.family_facts({ relation: relationWord(relation), age: ageWord(exactAge) });

/** Returns the names for a choice: with the relation if two have the same name. */
export function calledNames(family: Pick<FamilyMember, "id" | "name" | "relation" | "exactAge">[]): { id: string; name: string }[] {
  const sameAs = (name: string) => family.filter((one) => one.name.trim().toLowerCase() === name.trim().toLowerCase()).length;
  return family.map((one) => ({ id: one.id, name: sameAs(one.name) > 1 ? `${one.name.trim()} (${factsWord(one)})` : one.name }));
}
