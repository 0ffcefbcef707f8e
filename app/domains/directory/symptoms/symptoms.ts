import type { Category } from "../specialties.ts";
import { soundOf } from "./sound.ts";

/**
 * Spec 001 §9, in its order: the first row with a word in the text decides. After the specification's word come Telugu and Hindi,
 * in their own scripts and in Latin letters. `word*` is a prefix, because Telugu appends endings ("ఛాతీలో", in the chest); `a+b`
 * needs both.
 */
const KEYWORDS: readonly (readonly [word: string, own: string, category: Category])[] = [
  ["chest", "ఛాతీ* ఛాతి* చాతి* చాతీ* छाती सीने सीना chhati chathi* chaathi* chatilo seene seena", "Cardiology"],
  ["heart", "గుండె* హృదయ* दिल हृदय हार्ट gunde* gundello hrudaya* dil", "Cardiology"],
  ["teeth", "పళ్లు పళ్ళు పళ్ల* పళ్ళ* పన్ను* దంత* పంటి* दांत* दाँत* pallu pannu panti dant daant daanton", "Dentistry"],
  ["cough", "దగ్గు* खांसी खाँसी खासी daggu* khansi khaansi khasi", "Pulmonary"],
  ["asthma", "ఆస్తమా* ఉబ్బస* दमा अस्थमा asthama ubbasam* dama", "Pulmonary"],
  ["fever", "జ్వరం* జ్వర* ఫీవర్* बुखार फीवर ज्वर jvaram* jwaram* jvaram jwara* bukhar bukhaar bukar", "General"],
  [
    "child",
    "పిల్ల* బిడ్డ* శిశు* बच्चा बच्चे बच्ची बच्चों शिशु pillalu pillalaku pilla pillavadu bidda* bachcha bachche bachchi bacha bache bachi",
    "General",
  ],
  [
    "headache",
    "తలనొప్పి* తల+నొప్పి* తలకు+నొప్పి* सिरदर्द सिर+दर्द सर+दर्द talanoppi* thalanoppi* tala+noppi* thala+noppi* sirdard sir+dard sar+dard",
    "Neurology",
  ],
  ["stomach", "కడుపు* పొట్ట* पेट kadupu* potta* pet+dard pet+jalan", "Gastroen"],
  ["liver", "కాలేయ* లివర్* जिगर लिवर kaleyam* jigar", "Gastroen"],
  ["lab", "ల్యాబ్* లాబ్* రక్త+పరీక్ష* रक्तपरीक्षा लैब जांच जाँच rakta+pariksha* jaanch janch", "Laboratory"],
  ["vaccination", "టీకా* వ్యాక్సిన్* టీకాలు* टीका टीके टीकाकरण वैक्सीन teeka* tikakaran", "Vaccination"],
];

/** No input field of the product accepts more. */
const READ = 5_000;

type Test = (words: ReadonlySet<string>) => boolean;
function testOf(pattern: string): Test {
  const [first = "", second] = pattern.split("+");
  if (second !== undefined) {
    const [one, other] = [testOf(first), testOf(second)];
    return (words) => one(words) && other(words);
  }
  const sound = soundOf(first.replace("*", ""));
  return first.endsWith("*") ? (words) => [...words].some((word) => word.startsWith(sound)) : (words) => words.has(sound);
}
const TESTS = KEYWORDS.map(([word, own, category]) => ({ word, category, own: own.split(" ").map(testOf) }));

/**
 * Returns the category of a complaint; null without a word of the table. The specification's words must match exactly ("chests"
 * and "label" do not); words of the other languages are compared by sound.
 */
export function categoryForSymptoms(text: string): Category | null {
  const words = new Set(
    text
      .slice(0, READ)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}\u200b-\u200d]+/gu),
  );
  const sounds = new Set([...words].map(soundOf));
  return TESTS.find(({ word, own }) => words.has(word) || own.some((test) => test(sounds)))?.category ?? null;
}
