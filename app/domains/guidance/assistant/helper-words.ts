/** Words that the built-in helper understands, in three languages. Pure. */
import { soundOf } from "#app/domains/directory/symptoms/sound.ts";

/** English words match completely. In the others `word*` is a prefix, because Telugu appends endings. */
const INTENTS = {
  visits: ["appointment appointments visit visits booking bookings", "అపాయింట్* విజిట్* బుకింగ్* अपॉइंट* अपॉईंट* अपाइंट* मुलाक़ात* बुकिंग*"],
  mine: [
    "my mine next upcoming coming today show list mera meri mere naa nenu",
    "నా నాకు నావి రాబోయే తర్వాతి ఈరోజు ఇవాళ ఇవ్వాళ చూప* చూపించ* मेरा मेरी मेरे मुझे अगला अगली आने आज दिखा*",
  ],
  how: ["how ela elaa kaise", "ఎలా ఎట్లా कैसे"],
  /** "How many" asks for a number, not for the way. */
  many: ["many kitne kitni enni entamandi", "ఎన్ని* ఎంతమంది* कितने कितनी"],
  patients: ["patient patients", "పేషెంట్* రోగు* मरीज़* मरीज*"],
  doctor: ["doctor doctors", "డాక్టర్* డాక్టరు* వైద్యు* डॉक्टर* डाक्टर* चिकित्सक*"],
  /** For a word in its own script: without English words. */
  ownDoctor: ["", "డాక్టర్* డాక్టరు* వైద్యు* डॉक्टर* डाक्टर* चिकित्सक*"],
  greeting: ["hi hello hey namaste namaskaram hii", "నమస్కారం* నమస్తే* హలో హాయ్ नमस्ते नमस्कार हेलो हैलो हाय"],
} as const satisfies Record<string, readonly [english: string, own: string]>;
type Intent = keyof typeof INTENTS;

function testOf([english, own]: readonly [string, string]): (words: readonly string[]) => boolean {
  const whole = new Set(english.split(" ").filter(Boolean));
  const patterns = own.split(" ");
  const sounds = new Set(patterns.filter((one) => !one.endsWith("*")).map(soundOf));
  const beginnings = patterns.filter((one) => one.endsWith("*")).map((one) => soundOf(one.slice(0, -1)));
  return (words) =>
    words.some((word) => {
      const sound = soundOf(word);
      return whole.has(word) || sounds.has(sound) || beginnings.some((begins) => sound.startsWith(begins));
    });
}

/** `mentions.visits(wordsOf("నా అపాయింట్‌మెంట్లు"))` */
export const mentions = Object.fromEntries(Object.entries(INTENTS).map(([name, words]) => [name, testOf(words)])) as Record<
  Intent,
  (words: readonly string[]) => boolean
>;
