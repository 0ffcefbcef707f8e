import { meantBy } from "#app/domains/directory/symptoms/meant.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";

/** "We call back" is no pain. */
const BACK = /\bback\b(?! ?(?:pain|ache))/gi;
/** Returns true for a text that names an illness or a symptom, which no message may. */
export const namesIllness = (text: string): boolean => findRedFlag(text) !== null || meantBy(text.replace(BACK, "")) !== null;
