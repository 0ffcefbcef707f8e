import { soundOf } from "#app/domains/directory/symptoms/sound.ts";
import { HARMLESS } from "./harmless-phrases.ts";
import { isOverdose } from "./overdose.ts";
import { RED_FLAGS } from "./red-flag-phrases.ts";

/** Longer texts are read at both ends only. */
const READ = 4_000;
/** Most other words between the words of a phrase. */
const SLACK = 4;

type Term = { words: number[] }[];
type Phrase = { terms: Term[]; flag: (typeof RED_FLAGS)[number] };

/** Every word of the phrases has a number. A word of a text is looked up completely and by its prefixes. */
const wholeWords = new Map<string, number>();
const beginnings = new Map<string, number>();
let known = 0;
function numberOf(word: string): number {
  const prefix = word.endsWith("*");
  const map = prefix ? beginnings : wholeWords;
  const sound = soundOf(prefix ? word.slice(0, -1) : word);
  const number = map.get(sound) ?? known++;
  map.set(sound, number);
  return number;
}
const PHRASES: readonly Phrase[] = RED_FLAGS.flatMap((flag) =>
  flag.phrases.map((phrase) => ({
    flag,
    terms: phrase
      .split(" ")
      .map((term) => term.split("|").map((alternative) => ({ words: alternative.split("_").map(numberOf) })))
      // The rarest first would be cheapest. The one with the fewest alternatives is a good estimate.
      .sort((a, b) => a.length - b.length),
  })),
);

const setOf = (words: string) => new Set(words.split(" ").map(soundOf));
const NEGATIONS = setOf("no not dont doesnt didnt havent hasnt isnt arent wasnt without never nor neither denies");
/** Words allowed between a negation and the negated phrase: "do not have any signs of". */
const FILLERS = setOf(
  "have has had any a an the having feel feels feeling experience experiencing sign signs of kind such severe serious is it there been got get getting this really to symptom symptoms currently",
);
/** Negations after the phrase: "dard nahi hai", "నొప్పి లేదు". */
const NEGATIONS_BEHIND = setOf("नहीं नही nahi nahin nhi nai ledu ledhu లేదు లేవు levu");
const AFTER_NEGATION = setOf("है हैं था थी थे हो hai hain h tha thi the ho andi అండి");
const COMES = setOf("రావడం రావటం ravadam ravatam");
const LONG_AGO = setOf("history previously formerly childhood");
const TIME = setOf(
  "year years yr yrs month months decade decades साल वर्ष महीने saal sal varsh mahine సంవత్సరం సంవత్సరాల ఏళ్ల ఏళ్ళ నెలల samvatsarala samvatsaram ella yella nelala",
);
const AGO = setOf("ago back earlier before last पहले पिछले pehle pahle pichle క్రితం గత kritam kritham kindata gata");
const LATELY = setOf(
  "now again today tonight currently since still started suddenly sudden having happening अभी आज फिर अब अचानक abhi aaj phir fir ab achanak ఇప్పుడు ఈరోజు మళ్ళీ మళ్లీ ipudu ippudu ivala malli",
);
/** A past year. */
const PAST_YEAR = /^(?:19\d\d|20[01]\d|202[0-5])(?!\d)/;

const ASKING = setOf(
  "symptoms symptom signs sign prevent prevention preventing causes cause meaning definition difference explain risk risks vaccine insurance awareness article लक्षण बचाव रोकथाम कारण मतलब lakshan bachav roktham karan matlab లక్షణాలు లక్షణాలేంటి కారణాలు నివారణ అంటే lakshanalu karanalu nivarana ante",
);
/** Words for people, which show that it is not a general medical question. */
const PERSON_WORDS = setOf(
  "i im ive my me he she hes shes him her his we our someone somebody husband wife father mother dad mom baby son daughter child friend uncle aunt grandfather grandmother neighbour man woman boy girl help please मुझे मेरे मेरी मेरा मैं उन्हें उसे उनको पापा मां पिता mujhe muje mere meri mera main mai unhe use papa maa నాకు నా మా ఆయన ఆమె అతను నాన్న అమ్మ naku naaku na naa maa ayana aame nanna amma",
);
type HarmlessWord = { whole: ReadonlySet<string>; starts: readonly string[] };
/** The rows of HARMLESS, longest first. `word*` is a prefix, as in the phrases. */
const ROWS = HARMLESS.map((row) => row.split(" ").map((term) => harmlessWord(term.split("|")))).sort((a, b) => b.length - a.length);
function harmlessWord(words: readonly string[]): HarmlessWord {
  const starts = words.filter((word) => word.endsWith("*")).map((word) => soundOf(word.slice(0, -1)));
  return { whole: new Set(words.filter((word) => !word.endsWith("*")).map(soundOf)), starts };
}

/**
 * Returns the first red flag of a text, or null. Prefers false alarms: a negation or a past date cancels only its own phrase, and
 * a general question is ignored only when it mentions no person. Pure, and linear in a bounded part of the text.
 */
export function findRedFlag(text: string): { id: string } | null {
  const read = text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n${text.slice(-READ)}`;
  for (const sentence of sentencesOf(read)) {
    const general = isGeneralQuestion(sentence.flat());
    const words = sentence.flat();
    if (!general && !isLongAgo(words) && isOverdose(words)) return { id: "poison" };
    const before = sentence.map((clause) => (isShortDate(clause) ? clause : []));
    for (const [i, clause] of sentence.entries()) {
      const past = isLongAgo([...(before[i - 1] ?? []), ...clause, ...(before[i + 1] ?? [])]);
      const found = findIn(clause, past || general);
      if (found) return found;
    }
  }
  return null;
}

/** Splits a text into sentences of clauses of words. */
function sentencesOf(text: string): string[][][] {
  return text
    .toLowerCase()
    .replace(/[’'`]/g, "")
    .split(/[.!?।\n]+/)
    .map((sentence) =>
      sentence
        .split(/[,;:()]+|\bbut\b|\band (?=(?:i|my|he|she|we|now|his|her)\b)|लेकिन|मगर|కానీ|\blekin\b|\bkani\b/u)
        .map((clause) => withoutHarmless((clause.match(/[\p{L}\p{M}\p{N}\u200b-\u200d]+/gu) ?? []).map(soundOf)))
        .filter((clause) => clause.length > 0),
    );
}

function withoutHarmless(words: string[]): string[] {
  const left: string[] = [];
  for (let at = 0; at < words.length; ) {
    const row = ROWS.find((r) => r.every((word, i) => isOneOf(word, words[at + i])));
    if (!row) left.push(words[at]!);
    at += row?.length ?? 1;
  }
  return left;
}
const isOneOf = ({ whole, starts }: HarmlessWord, word = "") =>
  whole.has(word) || starts.some((start) => word.startsWith(start)) || (whole.has("#") && /^\d+$/.test(word));

const isShortDate = (clause: string[]) => clause.length <= 4 && isLongAgo(clause);

function isLongAgo(words: string[]): boolean {
  if (words.some((w) => LATELY.has(w))) return false;
  if (words.some((w) => PAST_YEAR.test(w) || LONG_AGO.has(w))) return true;
  return words.some((w) => AGO.has(w)) && words.some((w) => TIME.has(w));
}

const isGeneralQuestion = (words: string[]) =>
  !words.some((w) => PERSON_WORDS.has(w) || LATELY.has(w)) &&
  (words.some((w) => ASKING.has(w)) || (words[0] === "what" && (words[1] === "is" || words[1] === "are")));

/** Returns the positions of each known word in a clause. */
function placesOf(words: string[]): Map<number, Set<number>> {
  const places = new Map<number, Set<number>>();
  const add = (number: number | undefined, at: number) => {
    if (number === undefined) return;
    const list = places.get(number);
    if (list) list.add(at);
    else places.set(number, new Set([at]));
  };
  for (const [at, word] of words.entries()) {
    add(wholeWords.get(word), at);
    for (let end = 1; end <= Math.min(word.length, 24); end++) add(beginnings.get(word.slice(0, end)), at);
  }
  return places;
}

type Span = { from: number; to: number };

function spansOf(term: Term, places: ReadonlyMap<number, ReadonlySet<number>>): Span[] {
  return term.flatMap(({ words }) =>
    [...(places.get(words[0]!) ?? [])]
      .filter((at) => words.every((word, i) => places.get(word)?.has(at + i)))
      .map((from) => ({ from, to: from + words.length - 1 })),
  );
}

function findIn(words: string[], guarded: boolean): { id: string } | null {
  const places = placesOf(words);
  // Most texts have no word of a phrase.
  if (places.size === 0) return null;
  for (const { terms, flag } of PHRASES) {
    if (guarded && !flag.always) continue;
    const found = spansOfAll(terms, places);
    if (!found) continue;
    const [first, ...others] = found;
    for (const start of first!) {
      const match = grow(start, others, terms.length - 1 + SLACK);
      if (match && (flag.always || !isTakenBack(words, match))) return { id: flag.id };
    }
  }
  return null;
}

/** Returns the occurrences of each term; null when one has none. */
function spansOfAll(terms: readonly Term[], places: ReadonlyMap<number, ReadonlySet<number>>): Span[][] | null {
  const all: Span[][] = [];
  for (const term of terms) {
    const spans = spansOf(term, places);
    if (!spans.length) return null;
    all.push(spans);
  }
  return all;
}

/** Returns the nearest occurrence of every other term around the first; null when one is too far. */
function grow(start: Span, others: Span[][], reach: number): Span[] | null {
  const taken = [start];
  for (const spans of others) {
    const near = spans.filter((s) => Math.abs(s.from - start.from) <= reach && !taken.some((t) => s.from <= t.to && t.from <= s.to));
    const nearest = near.sort((a, b) => Math.abs(a.from - start.from) - Math.abs(b.from - start.from))[0];
    if (!nearest) return null;
    taken.push(nearest);
  }
  return taken;
}

function isTakenBack(words: string[], match: Span[]): boolean {
  const from = Math.min(...match.map((s) => s.from));
  const to = Math.max(...match.map((s) => s.to));
  for (let at = from - 1; at >= 0 && at >= from - 6; at--) {
    const word = words[at]!;
    if (NEGATIONS.has(word)) return true;
    // "no fever or chest pain": the negation applies to the whole list.
    const listed = words[from - 1] === "or" || words[from - 1] === "nor";
    if (!FILLERS.has(word) && !listed) break;
  }
  const behind = words.slice(to + 1).filter((w) => !COMES.has(w));
  return NEGATIONS_BEHIND.has(behind[0] ?? "") && (behind.length === 1 || AFTER_NEGATION.has(behind[1]!));
}
