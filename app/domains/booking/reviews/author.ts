/** Titles are omitted. */
const TITLE = /^(dr|mr|mrs|ms|miss|prof|shri|sri|smt|kum)\.?$/i;
const LONGEST = 24;

/**
 * Returns the author of a review as given name and one initial, for privacy. "Lakshmi Prasanna Devi" is "Lakshmi P.", and "K. V.
 * Ramana", with initials first, is "Ramana K.".
 * @returns null for a patient without a name
 */
export function authorOf(name: string | null): string | null {
  const words = (name ?? "")
    .trim()
    .split(/\s+/)
    .filter((word) => word && !TITLE.test(word));
  const letters = (word: string) => word.replace(/[^\p{L}\p{M}]/gu, "");
  const given = words.findIndex((word) => letters(word).length > 1);
  if (given < 0) return null;
  const other = words.find((word, i) => i !== given && letters(word));
  const [first] = other ? new Intl.Segmenter("en", { granularity: "grapheme" }).segment(letters(other)) : [];
  const short = words[given]!.slice(0, LONGEST);
  return first ? `${short} ${first.segment.toLocaleUpperCase("en-IN")}.` : short;
}
