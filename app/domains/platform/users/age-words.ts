import { type Age, ageAt, ageWord } from "#app/lib/age.ts";
import type { DateKey } from "#app/lib/dates.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { genderWord } from "./gender.ts";

/** "34 years, female", "7 months, male"; empty when neither is known. */
export function ageAndSexWord(age: Age | null, gender: Gender | null): string {
  const sex = gender && genderWord(gender).toLowerCase();
  return age && sex ? m.age_sex({ age: ageWord(age), sex }) : (sex ?? (age ? ageWord(age) : ""));
}

/** What an appointment stores of its patient's age. */
export type BookedAge = { patientAge: number; patientBirthDate: DateKey | null };
/** Returns the age of an appointment's patient on its day. */
export const bookedAgeOn = ({ patientAge, patientBirthDate }: BookedAge, on: DateKey): Age => ageAt(patientAge, patientBirthDate, on);
/** "7 months, female" of an appointment's patient on its day. */
export const bookedPatientWord = (of: BookedAge & { date: DateKey; patientGender: Gender }): string =>
  ageAndSexWord(bookedAgeOn(of, of.date), of.patientGender);
