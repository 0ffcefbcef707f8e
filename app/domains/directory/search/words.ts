/** Splits search texts into words, as the database splits the searched texts. */

const MOST_WORDS = 6;
const LONGEST = 40;
/** Filler words: "a dentist near me in Guntur", "Dr. Rao garu". */
const FILLERS = new Set("a and at best doctor doctors dr for garu in ji me near of the".split(" "));

/** Returns lower-case words. Blanks and ASCII punctuation separate words, so that no LIKE pattern is left. */
export function searchWords(text: string): string[] {
  const words = text
    .slice(0, 200)
    .toLowerCase()
    .split(/[\s\p{Cc}!-/:-@[-`{-~]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, LONGEST));
  const meant = words.filter((word) => !FILLERS.has(word));
  return [...new Set(meant.length ? meant : words)].slice(0, MOST_WORDS);
}

/** Alternatives for each word. */
export type Wanted = string[][];
export const wantedOf = (text: string): Wanted => searchWords(text).map((word) => [word]);
