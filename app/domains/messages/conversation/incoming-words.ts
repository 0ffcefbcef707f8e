/** What people write, in three languages and in Latin letters. */
import { plainDigits } from "#app/lib/digits.ts";
import type { Language } from "#app/lib/language.ts";
import { GENDERS, type Gender } from "#app/lib/vocabulary.ts";

const list = (words: string): ReadonlySet<string> => new Set(words.split(" ").map((word) => word.normalize("NFC")));

const WORDS = {
  greet: list(
    "hi hello hai hey book booking appointment namaste namaskar namaskaram నమస్తే నమస్కారం హాయ్ హలో బుక్ బుకింగ్ అపాయింట్‌మెంట్ అపాయింట్మెంట్ नमस्ते नमस्कार हाय हैलो बुक बुकिंग अपॉइंटमेंट",
  ),
  stop: list("stop unsubscribe stopall ఆపు ఆపండి ఆపేయండి స్టాప్ बंद रोको रोकें स्टॉप"),
  start: list("start unstop మొదలు ప్రారంభం స్టార్ట్ शुरू चालू स्टार्ट"),
  token: list("token టోకెన్ टोकन"),
  when: list("when next cancel move reschedule eppudu kab ఎప్పుడు రద్దు మార్చు कब रद्द बदलो बदलें"),
  address: list("address map where అడ్రస్ చిరునామా ఎక్కడ पता कहाँ कहां"),
  menu: list("help menu సహాయం మెనూ मदद मेनू"),
} as const;
export type Word = keyof typeof WORDS;
/** What may stand beside STOP. */
const AROUND_STOP = list("please pls kindly sending me messages message sms all any more now texting మెసేజ్‌లు మెసేజ్ దయచేసి मैसेज संदेश कृपया करो करें");

const LANGUAGE_WORDS: Record<string, Language> = {
  english: "en",
  telugu: "te",
  తెలుగు: "te",
  hindi: "hi",
  हिन्दी: "hi",
  हिंदी: "hi",
};

/** Returns the words of a message without marks around them, in lower case. */
export const wordsIn = (text: string): string[] =>
  plainDigits(text)
    .normalize("NFC")
    .toLowerCase()
    .split(/[\s,.!?;:()"'।]+/u)
    .filter(Boolean);

/** Returns the word that a message consists of; null for any other text. A greeting may be followed by what it is about. */
export function readWord(text: string): { word: Word; rest: string } | null {
  const words = wordsIn(text);
  const [first = ""] = words;
  if (WORDS.greet.has(first)) return { word: "greet", rest: words.filter((one) => !WORDS.greet.has(one)).join(" ") };
  if (words.some((word) => WORDS.stop.has(word)) && words.every((word) => WORDS.stop.has(word) || AROUND_STOP.has(word)))
    return { word: "stop", rest: "" };
  for (const word of Object.keys(WORDS) as Word[])
    if (words.length > 0 && words.length < 3 && WORDS[word].has(first)) return { word, rest: words.slice(1).join(" ") };
  return null;
}

/** Returns the language that a message names, alone. */
export const readLanguage = (text: string): Language | null => {
  const [only = "", ...others] = wordsIn(text);
  return others.length === 0 && Object.hasOwn(LANGUAGE_WORDS, only) ? LANGUAGE_WORDS[only]! : null;
};
/** Returns the language of the script of a message; null for Latin letters and numbers. */
export const scriptOf = (text: string): Language | null =>
  /[\u0c00-\u0c7f]/.test(text) ? "te" : /[\u0900-\u097f]/.test(text) ? "hi" : null;

/** Returns false for signs and pictures only. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns the number that a message consists of: "2", "2.", "౨". */
export const readNumber = (text: string): number | null => {
  const digits = /^\s*(\d)\s*[.)]?\s*$/.exec(plainDigits(text))?.[1];
  return digits === undefined ? null : Number(digits);
};

const GENDER_WORDS: Record<Gender, ReadonlySet<string>> = {
  female: list("f female woman girl lady స్త్రీ ఆడ అమ్మాయి महिला स्त्री लड़की औरत"),
  male: list("m male man boy పురుషుడు మగ అబ్బాయి पुरुष लड़का आदमी"),
  other: list("o other ఇతర अन्य"),
};
const YEARS = list("y yr yrs year years age old ఏళ్లు ఏళ్ళు సంవత్సరాలు వయసు साल वर्ष उम्र");
/** As long as a name may be in a booking form. */
const LONGEST_NAME = 120;
/** The most words of a name with its age and gender, and the most UTF-16 code units of one of them. */
const [MOST_WORDS, LONGEST_WORD] = [9, 60];
/** Words of questions and requests. "I" is not among them: it may be an initial; nor "are" and "ela", which are names in Andhra Pradesh. */
const NEVER_IN_NAMES = list(
  "me my you your can could would should please how what when where why who is does call come bring want need kya kab kaise eppudu ekkada నాకు నా మీరు ఎలా ఎప్పుడు ఎక్కడ ఎందుకు ఏమి ఉన్నారా ఉందా దయచేసి कॉल मैं मुझे मेरा मेरी आप क्या कैसे कब कहाँ क्यों कृपया",
);

/** Returns false for a text that asks or requests something ("Can I bring my mother too"), and for one that is too long for a name. */
export function mayBeName(text: string): boolean {
  const words = wordsIn(text);
  return words.length <= MOST_WORDS && words.every((word) => word.length <= LONGEST_WORD && !NEVER_IN_NAMES.has(word));
}

export type Person = { name: string; age: number | null; gender: Gender | null };
/**
 * Reads "Lakshmi Devi 34 F": what is neither an age nor a gender is the name. A letter is a gender at the end or beside the age only,
 * elsewhere it is an initial.
 */
export function readPerson(text: string): Person {
  const words = plainDigits(text)
    .normalize("NFC")
    .split(/[\s,;/]+/u)
    .filter(Boolean);
  const isAge = (word = "") => /^\d{1,3}$/.test(word);
  const person: Person = { name: "", age: null, gender: null };
  const names: string[] = [];
  for (const [i, word] of words.entries()) {
    const plain = word.toLowerCase().replace(/[.]+$/, "");
    const [, digits, letter] = /^(\d{1,3})([a-z]?)$/.exec(plain) ?? [];
    if (digits && Number(digits) >= 1 && Number(digits) <= 120) person.age = Number(digits);
    const mayBeGender = digits || i === words.length - 1 || isAge(words[i - 1]) || isAge(words[i + 1]);
    const gender = mayBeGender && GENDERS.find((one) => GENDER_WORDS[one].has(letter || plain));
    if (gender) person.gender = gender;
    else if (!digits && !YEARS.has(plain)) names.push(word);
  }
  const name = names.join(" ").slice(0, LONGEST_NAME).trim();
  person.name = hasWords(name) ? name : "";
  return person;
}
