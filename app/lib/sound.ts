/**
 * Phonetic name search across scripts: romanises Telugu and Devanagari, and compares Latin spellings by sound, because
 * "Srinivas", "Shrinivas" and "Sreenivaas" are one name (docs/decisions/025).
 */

const CONSONANTS = ["k", "kh", "g", "gh", "n", "ch", "chh", "j", "jh", "n", "t", "th", "d", "dh", "n", "t", "th", "d", "dh", "n"];
/** Romanisation by offset in the Unicode block. From KA on, the Telugu and Devanagari blocks have the same order. */
const LETTERS: Record<number, string> = Object.fromEntries([
  ...CONSONANTS.map((letter, i) => [0x15 + i, letter]),
  ...["n", "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l", "zh", "v", "sh", "sh", "s", "h"].map((letter, i) => [0x29 + i, letter]),
]);
const VOWELS = ["a", "a", "i", "i", "u", "u", "ri", "li", "e", "e", "e", "ai", "o", "o", "o", "au"];
/** Independent vowels, and the dependent vowel signs. */
const ALONE: Record<number, string> = Object.fromEntries(VOWELS.map((vowel, i) => [0x05 + i, vowel]));
const SIGNS: Record<number, string> = Object.fromEntries(VOWELS.slice(1).map((vowel, i) => [0x3e + i, vowel]));
const NUKTA: Record<string, string> = { k: "q", kh: "kh", g: "g", j: "z", d: "r", dh: "rh", ph: "f" };

const DEVANAGARI = 0x0900;
const TELUGU = 0x0c00;
const VIRAMA = 0x4d;
const ANUSVARA = new Set([0x01, 0x02]);

/** True when a text contains Telugu or Devanagari letters (digits do not count). */
export const hasIndicLetters = (text: string): boolean => /[\u0900-\u0963\u0970-\u097f\u0c00-\u0c65]/.test(text);

/**
 * Converts Telugu and Devanagari to Latin letters, close to ISO 15919 without diacritics: "శ్రీనివాస్" becomes "shrinivas".
 * Leaves other characters unchanged.
 */
export function romanise(text: string): string {
  return text.normalize("NFC").replace(/[\u0900-\u0963\u0970-\u097f\u0c00-\u0c65\u200b-\u200d]+/g, romaniseWord);
}

/** Returns all romanisations: Hindi ड़ is "r" or "d" in Latin letters ("Chandigarh", "Vijayawada"). */
export const romanisations = (text: string): string[] => [
  ...new Set([romanise(text), romanise(text.normalize("NFC").replace(/([\u0921\u0922])\u093c/g, "$1"))]),
];

/** Returns a word with and without its suffix: "విజయవాడలో" is "in Vijayawada", "రావుగారు" is "Mr Rao", but "అపోలో" is a name. */
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
      // "jña" is pronounced "gny" or "gy".
      latin += letter === "j" && after === "n" ? "g" : letter;
      i++;
    } else if (SIGNS[next] !== undefined) latin += letter;
    // Hindi drops the inherent vowel at the end of a word.
    else latin += hindi && next === -1 && latin !== "" ? letter : `${letter}a`;
  }
  return latin;
}
const isLabial = (sign: number) => sign >= 0x2a && sign <= 0x2e;

/** Replaces letters that sound alike, in this order. The database function `search_sound` has the same rules. */
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
 * Returns the consonant key of a Latin word: "srnvs" for "Srinivas". The database finds candidates by it, and `soundDistance`
 * ranks them.
 */
export function soundKey(latin: string): string {
  let word = alike(latin).replaceAll("m", "n");
  word = word.replace(/^[aeiou]/, "A").replace(/(?!^)[haeiouy]/g, "");
  return word.toLowerCase().replace(/(.)\1+/g, "$1");
}
const alike = (latin: string) => ALIKE.reduce((word, [letters, as]) => word.replace(letters, as), latin.toLowerCase());

/** Returns the sounds of a Latin word with vowels. Ignores vowel length, aspiration and doubled letters. */
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
/** Cost of a missing letter: a short "a" and a "y" are often not pronounced. */
const missing = (letter: string) => (letter === "a" || letter === "y" ? 0.5 : 1);

/**
 * Returns the edit distance by sound between a typed Latin word and `word`, or Infinity for another word. `typed` may be a
 * prefix of `word`, or contain it: "venkatesvararavu" matches "Venkateswara".
 */
export function soundDistance(typed: string, word: string): number {
  const a = sounds(typed);
  const b = sounds(word);
  if (!a || !b) return Number.POSITIVE_INFINITY;
  // row[j]: the cost of turning the first i letters of `a` into the first j letters of `b`.
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
  // Three ways to match: `a` as a prefix of `b`, both whole (with or without a final vowel), `b` as a prefix of `a`.
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
