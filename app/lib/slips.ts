/** Typing errors in a search. */

/** Returns how many letters may be wrong: none of three, one of six, then two. */
const slipsIn = (typed: string) => (typed.length < 4 ? 0 : typed.length < 7 ? 1 : 2);

/** Returns the edits from `typed` to `word`, or to its start: missing, doubled, wrong or exchanged letters. */
export function countSlips(typed: string, word: string): number {
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
  return Math.min(...row);
}

/** Returns true if `typed` may be `word`, or its start, with typing errors. */
export function isSlip(typed: string, word: string): boolean {
  const allowed = slipsIn(typed);
  return allowed > 0 && typed !== word && countSlips(typed, word) <= allowed;
}
