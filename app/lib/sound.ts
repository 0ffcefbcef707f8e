/**
 * Names across scripts: what is written in Telugu or Devanagari letters is put into Latin ones, and Latin spellings are
 * compared by sound, because "Srinivas", "Shrinivas" and "Sreenivaas" are one name (docs/decisions/025).
 */

const CONSONANTS = ["k", "kh", "g", "gh", "n", "ch", "chh", "j", "jh", "n", "t", "th", "d", "dh", "n", "t", "th", "d", "dh", "n"];
/** From the letter KA on, both blocks of Unicode go the same way; the offsets are within the block. */
const LETTERS: Record<number, string> = Object.fromEntries([
  ...CONSONANTS.map((letter, i) => [0x15 + i, letter]),
  ...["n", "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l", "zh", "v", "sh", "sh", "s", "h"].map((letter, i) => [0x29 + i, letter]),
]);
const VOWELS = ["a", "a", "i", "i", "u", "u", "ri", "li", "e", "e", "e", "ai", "o", "o", "o", "au"];
/** Independent vowels, and the same as signs. */
const ALONE: Record<number, string> = Object.fromEntries(VOWELS.map((vowel, i) => [0x05 + i, vowel]));
const SIGNS: Record<number, string> = Object.fromEntries(VOWELS.slice(1).map((vowel, i) => [0x3e + i, vowel]));
const NUKTA: Record<string, string> = { k: "q", kh: "kh", g: "g", j: "z", d: "r", dh: "rh", ph: "f" };

const DEVANAGARI = 0x0900;
const TELUGU = 0x0c00;
const VIRAMA = 0x4d;
const ANUSVARA = new Set([0x01, 0x02]);

/** Whether a text has Telugu or Devanagari letters (digits are none). */
export const hasIndicLetters = (text: string): boolean => /[\u0900-\u0963\u0970-\u097f\u0c00-\u0c65]/.test(text);

/**
 * A text with its Telugu and Devanagari letters in Latin ones, near to ISO 15919 without its marks: "శ్రీనివాస్" is
 * "shrinivas". Everything else stays as it is.
 */
export function romanise(text: string): string {
  return text.normalize("NFC").replace(/[\u0900-\u0963\u0970-\u097f\u0c00-\u0c65\u200b-\u200d]+/g, romaniseWord);
}

/** The same; a Hindi ड़ is "r" or "d" in Latin letters ("Chandigarh", "Vijayawada"), so there may be two. */
export const romanisations = (text: string): string[] => [
  ...new Set([romanise(text), romanise(text.normalize("NFC").replace(/([\u0921\u0922])\u093c/g, "$1"))]),
];

/** "విజయవాడలో" is "in Vijayawada", "రావుగారు" is "Mr Rao"; the name itself may end so ("అపోలో"), so both are tried. */
export function withoutEnding(word: string): string[] {
  const bare = word.replace(/(లోని|లోనే|లో|కి|కు|లోకి|గారు|గారి|గారికి)$/u, "");
  return bare !== word && bare.length >= 4 ? [word, bare] : [word];
}

function romaniseWord(word: string): string {
  const signs = [...word.replace(/[\u200b-\u200d]/g, "")].map((char) => char.charCodeAt(0));
  const hindi = (signs[0] ?? 0) < TELUGU;
  const within = (code: number | undefined) => (code === undefined ? -1 : code - (code < TELUGU ? DEVANAGARI : TELUGU));
  let latin = "";
  for (let i = 0; i < signs.length; i++) {
    const sign = within(signs[i]);
    let letter = LETTERS[sign];
    if (letter === undefined) {
      if (ALONE[sign] !== undefined) latin += ALONE[sign];
      else if (SIGNS[sign] !== undefined) latin += SIGNS[sign];
      else if (ANUSVARA.has(sign)) latin += isLabial(within(signs[i + 1])) || (i === signs.length - 1 && !hindi) ? "m" : "n";
      continue;
    }
    if (within(signs[i + 1]) === 0x3c) {
      letter = NUKTA[letter] ?? letter;
      i++;
    }
    const next = within(signs[i + 1]);
    if (next === VIRAMA) {
      const after = LETTERS[within(signs[i + 2])];
      // Written jña, said "gny" or "gy".
      latin += letter === "j" && after === "n" ? "g" : letter;
      i++;
    } else if (SIGNS[next] !== undefined) latin += letter;
    // A consonant at the end of a Hindi word is said without its vowel.
    else latin += hindi && next === -1 && latin !== "" ? letter : `${letter}a`;
  }
  return latin;
}
const isLabial = (sign: number) => sign >= 0x2a && sign <= 0x2e;

/** Letters that are said alike, in the order in which they are put in one another's place. The same rules stand in `search_sound` of the database. */
const ALIKE: [RegExp, string][] = [
  [/[^a-z]/g, ""],
  [/x/g, "ks"],
  [/ph/g, "f"],
  [/ck/g, "k"],
  [/a[vw]u?$/, "o"],
  [/au|ao|ou/g, "o"],
  [/[ao]w(?![aeiou])/g, "o"],
  [/c(?=[eiy])/g, "s"],
  [/g(?=[ei])/g, "j"],
  [/ch/g, "0"],
  [/[cq]/g, "k"],
  [/0/g, "c"],
  [/z/g, "j"],
  [/w/g, "v"],
];

/**
 * What is left of a Latin word without vowels and without what is written differently: "srnvs" for "Srinivas". By it the
 * database finds words that may be meant; `soundDistance` then judges them.
 */
export function soundKey(latin: string): string {
  let word = alike(latin).replaceAll("m", "n");
  word = word.replace(/^[aeiou]/, "A").replace(/(?!^)[haeiouy]/g, "");
  return word.toLowerCase().replace(/(.)\1+/g, "$1");
}
const alike = (latin: string) => ALIKE.reduce((word, [letters, as]) => word.replace(letters, as), latin.toLowerCase());

/** A Latin word by its sounds, vowels and all: lengths, breath and doubled letters do not matter. */
function sounds(latin: string): string {
  return alike(latin)
    .replace(/(?!^)h/g, "")
    .replace(/ee|ii|ie|ea/g, "i")
    .replace(/oo|uu/g, "u")
    .replace(/ay[iu]/g, "ai")
    .replace(/a[iy]|e[iy]/g, "e")
    .replace(/y(?![aeiou])/g, "i")
    .replace(/(.)\1+/g, "$1");
}

const NEAR = new Set(["ae", "ei", "ou", "ao", "mn", "iy"]);
const change = (a: string, b: string) => (a === b ? 0 : NEAR.has(a < b ? a + b : b + a) ? 0.5 : 1);
/** A short a and a y are said or not; so is the last vowel of a name. */
const missing = (letter: string) => (letter === "a" || letter === "y" ? 0.5 : 1);

/**
 * How far a Latin word is from one that was typed, in letters; Infinity when it is another word. `typed` may be the beginning
 * of `word`; "venkatesvararavu" is also "Venkateswara", with the rest in a word of its own.
 */
export function soundDistance(typed: string, word: string): number {
  const a = sounds(typed);
  const b = sounds(word);
  if (!a || !b) return Number.POSITIVE_INFINITY;
  // row[j]: what it takes to make the first j letters of `b` of the first i of `a`.
  let row = [0];
  for (let j = 1; j <= b.length; j++) row.push(row[j - 1]! + missing(b[j - 1]!));
  const whole: number[] = [row[b.length]!];
  for (let i = 1; i <= a.length; i++) {
    const next = [row[0]! + missing(a[i - 1]!)];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + missing(a[i - 1]!), next[j - 1]! + missing(b[j - 1]!), row[j - 1]! + change(a[i - 1]!, b[j - 1]!)));
    row = next;
    whole.push(row[b.length]!);
  }
  const stem = a.replace(/[aeiou]+$/, "").length;
  const wordStem = b.replace(/[aeiou]+$/, "").length;
  // The beginning of the word; the whole word, without the vowel at either's end too; the word as the beginning of what was typed.
  const asBeginning = Math.min(...row);
  const asWhole = Math.min(
    whole[a.length]!,
    stem >= 2 ? whole[stem]! : Number.POSITIVE_INFINITY,
    wordStem >= 2 ? row[wordStem]! : Number.POSITIVE_INFINITY,
  );
  const asPart = b.length >= 5 ? Math.min(...whole) : Number.POSITIVE_INFINITY;
  const allowed = Math.floor(Math.max(2, Math.min(a.length, b.length)) / 4) + 0.5;
  const least = Math.min(asWhole, asBeginning + 0.25, asPart + 0.5);
  return least <= allowed ? least : Number.POSITIVE_INFINITY;
}
