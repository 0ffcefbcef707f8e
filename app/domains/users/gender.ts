import { m } from "#app/paraglide/messages.js";

/** What a form offers a patient, a relative or a doctor; also the values of the column. Without zod, for browsers. */
export const GENDER_CHOICES = ["male", "female", "other"] as const;

const WORDS: Record<(typeof GENDER_CHOICES)[number], () => string> = {
  male: () => m.common_gender_male(),
  female: () => m.common_gender_female(),
  other: () => m.common_gender_other(),
};
export const genderWord = (gender: (typeof GENDER_CHOICES)[number]) => WORDS[gender]();

/** For radio buttons and lists. */
export const genderOptions = () => GENDER_CHOICES.map((value) => ({ value, label: genderWord(value) }));
