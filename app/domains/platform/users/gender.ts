import { GENDERS, type Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const WORDS: Record<Gender, () => string> = {
  male: () => m.common_gender_male(),
  female: () => m.common_gender_female(),
  other: () => m.common_gender_other(),
};
export const genderWord = (gender: Gender) => WORDS[gender]();

/** For radio buttons and lists. */
export const genderOptions = () => GENDERS.map((value) => ({ value, label: genderWord(value) }));
