/** Language of a question, by its script and, in Latin letters, by common words. Pure. */

import { wordsOf } from "#app/domains/directory/symptoms/doctor-kinds.ts";
import { soundOf } from "#app/domains/directory/symptoms/sound.ts";
import type { Language } from "#app/lib/language.ts";
import { scriptOf } from "./script.ts";

const soundsOf = (words: string) => new Set(words.split(" ").map(soundOf));

/** Frequent words that the other two languages do not share: "me", "pet", "sir", "to" and "hi" are in none. */
const COMMON: Record<Language, ReadonlySet<string>> = {
  en: soundsOf(
    "i my is are am was have has had the a an and or of for with can could should would will what when where which who how why do does did you your please want need not this that near find show tell cannot any there it from about today tomorrow upcoming",
  ),
  hi: soundsOf(
    "hai hain hoon mujhe mujhko mera meri mere mein mai main hum hamara apna apni apne aap aapka kya kyon kyun kab kahan kahaan kaise kaisa kaun kitna kitne kitni karna karen karein karu karun karoon kare sakta sakti sakte chahiye chahie nahi nahin raha rahi rahe hua hui gaya dard bukhar khansi liye dikhao dikhaiye bataiye batao dawai daktar aaj kal paas wala bachche bachcha daant karte hota hoti",
  ),
  te: soundsOf(
    "naaku naku nenu naa nannu maa maaku memu meeru miru meeku mee undi unnadi unnayi unnaru ledu levu ela elaa eppudu epudu ekkada evaru enti emiti endhuku enduku entha kavali kaavali cheyali cheyyali chesko cheyadam cheyyadam cheyandi cheyyandi cheppandi chupinchandi chupinchu vachindi vachchindi vastundi vasthundi ostundi noppi jvaram jwaram daggu gurinchi kosam daggara daggarlo dhaggara chala roju eeroju ivala pallu pilla pillalaku babuki papaki ayindi avuthundi avutundi",
  ),
};

/**
 * Returns the language a question is written in: Telugu and Hindi by their scripts and in Latin letters, English by its common
 * words; null if the words do not say ("dentist", a name, a number).
 */
export function languageOfQuestion(text: string): Language | null {
  const own = scriptOf(text);
  if (own) return own;
  const words = wordsOf(text).map(soundOf);
  const score = (language: Language) => words.filter((word) => COMMON[language].has(word)).length;
  const ranked = (["en", "hi", "te"] as const).map((language) => ({ language, score: score(language) })).sort((a, b) => b.score - a.score);
  const [best, second] = ranked;
  return best && second && best.score > second.score ? best.language : null;
}
