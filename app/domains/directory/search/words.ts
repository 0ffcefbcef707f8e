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

/** Returns how many letters may be wrong: none of three, one of six, then two. */
const slipsIn = (typed: string) => (typed.length < 4 ? 0 : typed.length < 7 ? 1 : 2);

/** Returns true if `typed` may be `word`, or its start, with missing, doubled, wrong or exchanged letters. */
export function isSlip(typed: string, word: string): boolean {
  const allowed = slipsIn(typed);
  if (allowed === 0 || typed === word) return false;
  // Rows of the Damerau-Levenshtein table: row[j] is the distance to the first j letters of the word.
  let before: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, j) => j);
  for (let i = 1; i <= typed.length; i++) {
    const next = [i];
    for (let j = 1; j <= word.length; j++) {
      const same = typed[i - 1] === word[j - 1] ? 0 : 1;
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return Math.min(...row) <= allowed;
}
