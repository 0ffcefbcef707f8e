import { meantBy } from "#app/domains/directory/symptoms/meant.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";

/** "We call back" is no pain. */
const BACK = /\bback\b(?! ?(?:pain|ache))/gi;
/** What a newborn is called, and names of people that are also words for an illness: "Baby of Lakshmi", "Pilla Ramesh". */
const NAMES = /(?<![\p{L}\p{M}])(?:baby|child|kid|newborn|pilla|pillai|gunde|dil|potta)(?![\p{L}\p{M}])/giu;
/** Returns true for an illness or a symptom that was typed where a patient's name was asked. */
export const isIllnessForName = (name: string): boolean => namesIllness(name.replace(NAMES, " "));
/** Returns true for a text that names an illness or a symptom, which no message may. */
export const namesIllness = (text: string): boolean => findRedFlag(text) !== null || meantBy(text.replace(BACK, "")) !== null;
