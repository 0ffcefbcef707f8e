import { soundOf } from "#app/domains/directory/symptoms/sound.ts";
import { plainDigits } from "#app/lib/digits.ts";

/** Tablets taken at once that need help. The daily maximum of paracetamol, the most common medicine, is eight of 500 mg. */
const TOO_MANY = 8;
/** Grams of a medicine; a tablet has a tenth of it at most. */
const TOO_MANY_GRAMS = 8;
/** Most words between the verb and its number, and between a number and its unit. */
const VERB_REACH = 9;
const UNIT_REACH = 7;

const setOf = (words: string) => new Set(words.trim().split(/\s+/).map(soundOf));
const startsOf = (words: string) => words.trim().split(/\s+/).map(soundOf);
const beginsWith = (starts: readonly string[], word: string) => starts.some((start) => word.startsWith(start));

const NUMBERS = new Map(
  Object.entries({
    1: "one single ek एक oka okati ఒక ఒకటి",
    2: "two do दो rendu రెండు couple",
    3: "three teen तीन mudu moodu మూడు",
    4: "four char chaar चार nalugu నాలుగు",
    5: "five paanch panch पांच पाँच aidu ఐదు",
    6: "six chhe che छह छः aaru ఆరు",
    7: "seven saat सात edu yedu ఏడు",
    8: "eight aath आठ enimidi ఎనిమిది",
    9: "nine nau नौ tommidi thommidi తొమ్మిది",
    10: "ten das dus दस padi పది",
    12: "twelve dozen barah baarah बारह darjan दर्जन pannendu పన్నెండు",
    15: "fifteen pandrah pandra पंद्रह पन्द्रह padihenu padihenu పదిహేను",
    20: "twenty bees bis बीस iravai iravay ఇరవై",
    25: "twentyfive pachees pachis पच्चीस",
    30: "thirty tees tis तीस muppai mupai muppay ముప్పై",
    40: "forty chalis chaalis चालीस nalabhai nalabai నలభై",
    50: "fifty pachas pachaas पचास yabhai yaabhai యాభై",
    60: "sixty साठ aravai అరవై",
    100: "hundred sau सौ vanda వంద",
  }).flatMap(([value, words]) => words.split(" ").map((word) => [soundOf(word), Number(value)] as const)),
);
const TABLETS = startsOf(
  "tablet tablt tablat pill capsul goli goliy मात्रा गोली गोलिय टैबलेट टेबलेट टैब्लेट कैप्सूल matra mathra maatra మాత్ర టాబ్లెట్ ట్యాబ్లెట్ టాబ్లెట క్యాప్సూల్ billa బిళ్ళ బిళ్ల",
);
const TABLET_WORDS = setOf("tab tabs pil caps");
const MEDICINES = startsOf(
  "paracetamol paracitamol parasetamol parasitamol pcm acetaminophen tylenol crocin crosin dolo calpol combiflam brufen ibuprofen aspirin disprin diclofenac tramadol alprazolam alprax xanax valium diazepam lorazepam ativan clonazepam zolpidem metformin glycomet amlodipin atenolol digoxin sertralin fluoxetin amitriptylin antidepressant thyronorm eltroxin cetirizin painkiller sleeping medicin dawai davai dawa dava नींद दवा दवाई पैरासिटामोल पेरासिटामोल क्रोसिन डोलो mandulu mandu మందు పారాసిటమాల్ పారాసెటమాల్ పారాసిటమోల్ క్రోసిన్ డోలో nidra నిద్ర",
);
const STRIPS = startsOf(
  "strip strips patta patte patti पत्ता पत्ते स्ट्रिप స్ట్రిప్ bottle botal sheeshi shishi शीशी बोतल sisa seesa సీసా బాటిల్ packet पैकेट box dabba",
);
const WHOLE = setOf(
  "whole full entire complete pura poora puri poori saara sara sari saari पूरा पूरी पूरे सारा सारी motham mothham motam మొత్తం antha అంతా nindu",
);
/** Words for "at once". */
const AT_ONCE =
  /\b(?:together|at once|at one time|same time|one go|single go|one shot|in one sitting|ek s[a]+th|eks[a]+th|ek b[a]+r|okes[a]+ri|oke s[a]+ri|ok+as[a]+ri)\b|एक ?साथ|एक ?बार|इकट्ठ|ఒకే ?సారి|ఒక్క ?సారి/u;
const TOOK = setOf("took taken ate eaten swallowed consumed popped gulped drank drunk had overdosed");
const TOOK_STARTS = startsOf(
  "swallow gulp consum khali khaya khayi khaye khaliy khaai nigal खाली खाई खायी खाया खाए खायीं खाईं खालीं निगल vesukun vesesuk vesesa vesesi vesukon veskun vesukunan mingesa mingina mingadu mingindi minges tinesa thinesa tinnadu tinindi tinnan tinanu tisukun teesukun theesukun thisukun వేసుకున్న వేసుకుంద వేసేస వేసుకొన్న మింగ తిన్న తినేస తీసుకున్న",
);
/** Verbs of two words: "kha li", "le li". */
const TOOK_PAIRS =
  /\b(?:kha|le) (?:li|lia|lya|liya|liye|lin|gay[aie]|gai|chuk[aie]|dal[aie])\b|(?:खा|ले) (?:ली|लीं|लिया|लिए|लिये|गया|गई|गयी|गए|डाली|चुका|चुकी)|खा ?ली/u;
const INTENDS = /\b(?:want|going|gona|plan|planing|about|wil|il)(?: to)? (?:take|eat|swalow|have)\b/;
const NOW_WORDS = setOf("take taking takes eat eating swallow");
const NOW = startsOf("khata khati khate khana khaun lena leta leti vesukunt veskunt tisukunt खाता खाती खाते వేసుకుంట తీసుకుంట");
/** Words of a prescription or of a period in which tablets were taken. */
const SCHEDULE =
  /\b(?:daily|everyday|wi?e?kly|monthly|twice|thrice|course|prescribed|per (?:day|week|month)|(?:a|every|each) (?:day|week|month|night|morning)|(?:in|over|for|within|last|past|since|this|these|next|of|from) (?:the |a |last |past |about |almost )*(?:\w+ )?(?:days?|wiks?|weks?|months?|years?)|roz|rozana|roj|har din|din (?:me|mein|men|bhar)|(?:dino|mahine|hafte) (?:me|mein|men|se)|roju(?:ku|ki|lu|lalo|la)?|ro[jz]u|nela(?:ki|ku|lo)?)\b|रोज|हर दिन|दिन में|दिनों|महीने|हफ्ते|రోజు|నెల|వారం/u;
const LEFT = setOf(
  "left remaining bought buy buying purchased ordered order received got price cost kharide kharidi konnanu khareeda बची खरीदी खरीदे bachi konanu కొన్నాను మిగిలి",
);
const NOT = setOf(
  "not no never didnt havent hasnt dont doesnt wont shouldnt without nahi nahin nai nhi नहीं नही mat मत ledu ledhu లేదు వేసుకోలేదు",
);
/** After these units a number is not a count of tablets. */
const OTHER_UNITS = setOf(
  "mg ml mcg am pm oclock baje din dino hafte mahine ghante saal glass glasses cup cups spoon spoons nimishala nimishalu ganta gantalu years year yrs yr old months month days day weeks week hours hour hrs minutes min mins ago kg percent times time rupees rs hundred साल दिन महीने बजे घंटे मिनट रुपये గంటల గంటలు రోజుల రోజులు సంవత్సరాల నెలల నిమిషాల samvatsarala gantala rojula",
);
/** "at 8" */
const CLOCK = setOf("at by until till before after");
const GRAMS = setOf("g gm gms gram grams");

/** Separates digits from letters typed without a space: "30tablets". */
const split = (words: readonly string[]) =>
  words.flatMap((word) => {
    const glued = /^(\d+)(\D+)$/u.exec(plainDigits(word));
    return glued ? [glued[1]!, soundOf(glued[2]!)] : [plainDigits(word)];
  });
const numberIn = (word: string): number | undefined => (/^\d{1,6}$/.test(word) ? Number(word) : NUMBERS.get(word));
const isTablet = (word: string) => TABLET_WORDS.has(word) || beginsWith(TABLETS, word);
const isMedicine = (word: string) => isTablet(word) || beginsWith(MEDICINES, word);

/**
 * Returns true when a sentence states that someone took, or intends to take, many tablets or a whole strip or bottle at once.
 * Returns false for a prescription ("1 tablet twice a day"), for tablets that were bought or counted, and for a clear denial.
 * @param sentence its words, normalised by `soundOf`
 */
export function isOverdose(sentence: readonly string[]): boolean {
  const words = split(sentence);
  if (!words.some(isMedicine)) return false;
  const text = words.join(" ");
  const atOnce = AT_ONCE.test(text);
  if (SCHEDULE.test(text) && !atOnce) return false;
  const verbs = takings(words, text);
  if (verbs === "denied") return false;
  const counts = amounts(words);
  if (atOnce && counts.some(({ enough }) => enough) && !words.some((word) => LEFT.has(word))) return true;
  return verbs.some((verb) => {
    // The nearest number belongs to the verb: "bought 30 tablets and took 1".
    const near = counts.filter(({ at }) => Math.abs(at - verb) <= VERB_REACH).sort((a, b) => Math.abs(a.at - verb) - Math.abs(b.at - verb));
    const nearest = near[0];
    return nearest?.enough === true && !isLeft(words, verb);
  });
}
/** Returns true for a stock: "had 30 tablets left". */
const isLeft = (words: readonly string[], verb: number) => words[verb] === "had" && words.some((word) => LEFT.has(word));

/** Returns the positions of verbs of taking; "denied" when the sentence negates it. */
function takings(words: readonly string[], text: string): number[] | "denied" {
  const found: number[] = [];
  const denied = (at: number) => NOT.has(words[at - 1] ?? "") || NOT.has(words[at + 1] ?? "");
  let refused = false;
  const add = (at: number) => {
    if (denied(at)) refused = true;
    else found.push(at);
  };
  const isNow = (word: string) => NOW_WORDS.has(word) || beginsWith(NOW, word);
  const pair = TOOK_PAIRS.test(text);
  const intends = INTENDS.test(text);
  for (const [at, word] of words.entries()) {
    const now = isNow(word);
    if (now ? intends : TOOK.has(word) || beginsWith(TOOK_STARTS, word)) add(at);
    else if (pair && (word === "kha" || word === "le" || word === "खा" || word === "ले")) add(at);
    else if (now && denied(at)) refused = true;
  }
  return refused && !found.length ? "denied" : found;
}

/** Returns the amounts of medicine in a sentence: position, and whether it is dangerous at once. */
function amounts(words: readonly string[]): { at: number; enough: boolean }[] {
  return words.flatMap((word, at) => {
    const following = words.slice(at + 1, at + 1 + UNIT_REACH);
    const count = numberIn(word);
    if (WHOLE.has(word)) return following.some((next) => beginsWith(STRIPS, next)) ? [{ at, enough: true }] : [];
    if (count === undefined) return [];
    const next = words[at + 1] ?? "";
    if (GRAMS.has(next)) return [{ at, enough: count >= TOO_MANY_GRAMS }];
    if (next === "mg") return [{ at, enough: count >= TOO_MANY_GRAMS * 1000 }];
    // Times and other units are not a count: "at 8", "650 mg", "10 days".
    if (OTHER_UNITS.has(next) || CLOCK.has(words[at - 1] ?? "")) return [];
    const strip = following.slice(0, 2).some((one) => beginsWith(STRIPS, one));
    if (strip)
      return [
        { at, enough: count >= 2 || (count === 1 && following.some(isMedicine)) || words.slice(Math.max(0, at - 3), at).some(isMedicine) },
      ];
    const counted = following.some(isMedicine) || words.slice(Math.max(0, at - 3), at).some(isMedicine);
    return [{ at, enough: counted && count >= TOO_MANY }];
  });
}
