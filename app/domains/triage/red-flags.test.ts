import { describe, expect, it } from "vitest";
import { findRedFlag, soundOf } from "./red-flags.ts";

/** One hundred sentences on which minutes depend, with what is found in them. */
const DANGER: Record<string, string[]> = {
  "chest-pain": [
    "I have chest pain",
    "My father has a heavy pressure in his chest and is sweating",
    "pain in the chest going to left arm",
    "I think he is having a heart attack",
    "CHEST TIGHTNESS!!! please help",
    "No fever, but chest pain since morning",
    "I am not sure but my chest hurts badly",
    "My father had a heart attack in 2010 and now his chest hurts again",
    "my mother had a heart attack",
    "मेरे सीने में बहुत दर्द हो रहा है",
    "पापा को दिल का दौरा पड़ा है",
    "छाती में दर्द और पसीना",
    "mere seene me dard ho raha hai",
    "chati mein bahut dard hai",
    "papa ko dil ka daura pada hai",
    "sine me dard kam nahi ho raha",
    "నాకు ఛాతీలో నొప్పిగా ఉంది",
    "గుండెల్లో నొప్పి వస్తోంది",
    "నాన్నకు గుండెపోటు వచ్చింది",
    "naku gunde noppi ga undi",
    "chathi lo noppi vastundi",
  ],
  breathing: [
    "I can't breathe",
    "He is not breathing",
    "she has difficulty in breathing",
    "short of breath since an hour",
    "my baby is turning blue",
    "something is stuck in his throat",
    "asthma attack and no inhaler",
    "मुझे सांस नहीं आ रही",
    "साँस लेने में तकलीफ हो रही है",
    "दम घुट रहा है",
    "saans nahi aa rahi hai",
    "sans lene me dikkat",
    "gale me khana atak gaya",
    "ఊపిరి ఆడటం లేదు",
    "శ్వాస తీసుకోవడం కష్టంగా ఉంది",
    "అమ్మకు ఆయాసం ఎక్కువగా ఉంది",
    "oopiri adatledu",
    "swasa tisukovadam kashtam ga undi",
  ],
  stroke: [
    "her face is drooping on one side",
    "his speech is slurred",
    "sudden weakness in the right arm",
    "My grandfather cannot lift his arm",
    "worst headache of my life",
    "उनका मुंह टेढ़ा हो गया है",
    "दादी को लकवा मार गया",
    "muh teda ho gaya aur bol nahi pa rahe",
    "dadaji ko lakwa mar gaya",
    "ఆయన మూతి వంకర పోయింది",
    "పక్షవాతం వచ్చినట్టుంది",
    "mukham vankara poyindi",
  ],
  bleeding: [
    "heavy bleeding that does not stop",
    "the bleeding won't stop",
    "he is vomiting blood",
    "my brother was stabbed",
    "She lost a lot of blood",
    "बहुत खून बह रहा है",
    "खून रुक नहीं रहा",
    "khoon band nahi ho raha",
    "khun ki ulti ho rahi hai",
    "రక్తం కారుతోంది",
    "రక్తం ఆగడం లేదు",
    "raktam agatledu",
  ],
  unconscious: [
    "he is unconscious",
    "my mother fainted and is on the floor",
    "I cannot wake my son",
    "she collapsed",
    "वह बेहोश हो गई",
    "papa behosh ho gaye",
    "నాన్న స్పృహ తప్పి పడిపోయారు",
    "spruha tappi padipoyadu",
  ],
  seizure: [
    "my child is having fits",
    "She has a seizure",
    "बच्चे को मिर्गी का दौरा पड़ रहा है",
    "bete ko daura pad raha hai",
    "పాపకు ఫిట్స్ వచ్చాయి",
    "babu ki fits vachayi",
  ],
  poison: [
    "my son drank kerosene",
    "she took too many sleeping pills",
    "उसने जहर खा लिया",
    "usne zeher kha liya",
    "పురుగుల మందు తాగాడు",
    "purugula mandu tagadu",
  ],
  bite: ["a snake bit him", "सांप ने काट लिया", "saanp ne kaat liya", "పాము కరిచింది", "pamu karichindi"],
  "self-harm": [
    "I want to kill myself",
    "I don't want to live anymore",
    "मैं मरना चाहता हूँ",
    "main marna chahta hu",
    "నాకు చావాలని ఉంది",
    "athmahatya chesukovali",
  ],
  injury: ["road accident, two people hurt", "he fell from the roof", "एक्सीडेंट हो गया है", "bijli ka current lag gaya", "కరెంట్ షాక్ కొట్టింది"],
  pregnancy: ["she is pregnant and bleeding"],
};

/** One hundred sentences of ordinary days: complaints that wait, denials, the past, questions, and words that only look alike. */
const ORDINARY = [
  // complaints
  "I have fever since two days",
  "mild headache after work",
  "dry cough and cold",
  "stomach pain after dinner",
  "my teeth hurt",
  "knee pain when I climb stairs",
  "skin rash on my arm",
  "I feel tired all day",
  "back pain for a week",
  "my child has a cold",
  "sore throat",
  "ear pain",
  "acidity and gas",
  "hair fall",
  "pimples on my face",
  "I cannot sleep at night",
  "my eyes are dry",
  "loose motions since yesterday",
  "need a vaccination for my baby",
  "sugar is 180 after food",
  // denials
  "I have no chest pain",
  "I do not have any chest pain",
  "fever, no breathing difficulty",
  "She doesn't have chest pain or breathlessness",
  "never had a heart attack",
  "cough without shortness of breath",
  "no fever or chest pain",
  "There is no bleeding and no chest pain",
  "he has not fainted",
  "She never had a seizure",
  "no signs of a stroke",
  "सीने में दर्द नहीं है",
  "सांस की तकलीफ नहीं है",
  "seene me dard nahi hai",
  "saans ki takleef nahi hai",
  "ఛాతీ నొప్పి లేదు",
  "ఆయాసం లేదు",
  "gunde noppi ledu",
  "chati noppi ledu andi",
  "ఫిట్స్ లేవు",
  // the past
  "my father had a heart attack in 2010",
  "He had a stroke five years ago",
  "In 2015, my mother had a heart attack",
  "I had seizures in childhood",
  "history of stroke in the family",
  "She fainted once two years ago",
  "My uncle had chest pain last year",
  "snake bite in 2008, fully recovered",
  "पिताजी को 2012 में दिल का दौरा पड़ा था",
  "दो साल पहले लकवा हुआ था",
  "papa ko 5 saal pehle heart attack aaya tha",
  "2 saal pehle accident hua tha",
  "నాన్నకు 2010లో గుండెపోటు వచ్చింది",
  "రెండు సంవత్సరాల క్రితం పక్షవాతం వచ్చింది",
  "rendu samvatsarala kritam gunde noppi vachindi",
  // questions
  "Is there a cardiologist in Guntur?",
  "Which doctor treats heart problems?",
  "What are the symptoms of a heart attack?",
  "what is a stroke",
  "How to prevent a heart attack",
  "causes of seizures",
  "difference between stroke and paralysis",
  "When is the cardiologist free tomorrow?",
  "How much does a chest X-ray cost?",
  "Do you have a heart specialist?",
  "Where can I give a blood test?",
  "My blood pressure is 130 by 85, is that high?",
  "Is the hospital open on Sunday?",
  "Can I cancel my appointment?",
  "How do I change my phone number?",
  "Book a heart check-up for my father",
  "Does snake bite insurance exist",
  "दिल का दौरा के लक्षण क्या हैं",
  "लकवा से बचाव कैसे करें",
  "heart attack ke lakshan kya hai",
  "గుండెపోటు లక్షణాలు ఏమిటి",
  "పక్షవాతం అంటే ఏమిటి",
  "gundepotu lakshanalu enti",
  // words that only look alike
  "The 10:20 slot fits my schedule",
  "this treatment hit my budget",
  "I want to live closer to the hospital",
  "breathing exercises for yoga",
  "I drank a lot of water",
  "my chest X-ray report is ready",
  "heartfelt thanks to the doctor",
  "blood donation camp",
  "stop the reminders please",
  "I burned some calories at the gym",
  "The lab report has a wrong name",
  "change the date of my accident insurance",
  "the doctor was stuck in traffic",
  // other ordinary words in three languages
  "मुझे बुखार है",
  "पेट में दर्द है",
  "खून की जांच करानी है",
  "mujhe bukhar aur khansi hai",
  "pet me dard hai",
  "నాకు జ్వరం వచ్చింది",
  "తలనొప్పిగా ఉంది",
  "naku jwaram vachindi",
  "tala noppi ga undi",
];

const danger = Object.entries(DANGER).flatMap(([id, sentences]) => sentences.map((sentence) => [sentence, id] as const));

it("one hundred of each, none twice", () => {
  expect(new Set(danger.map(([sentence]) => sentence)).size).toBe(100);
  expect(new Set(ORDINARY).size).toBe(100);
});

describe("reaches SOS", () => {
  it.each(danger)("%s", (sentence, id) => expect(findRedFlag(sentence)).toEqual({ id }));
});
describe("does not", () => {
  it.each(ORDINARY)("%s", (sentence) => expect(findRedFlag(sentence)).toBeNull());
});

describe("what takes a danger back, and what does not", () => {
  it.each([
    ["the chest pain does not go away", true],
    ["no doctor is here and my chest hurts", true],
    ["He had a stroke five years ago. Today his face is drooping.", true],
    ["I had chest pain yesterday", true],
    ["What should I do, my father has chest pain", true],
    ["what are the symptoms of a heart attack, my chest hurts", true],
    ["dard nahi hai. saans nahi aa rahi", true],
    ["I tried suicide two years ago", true],
    ["సీనే కాదు, ఛాతీ నొప్పి తగ్గడం లేదు", true],
    ["no chest pain, no stroke, only fever", false],
    ["i don’t have chest pain", false],
  ])("%s: %s", (sentence, found) => expect(findRedFlag(sentence) !== null).toBe(found));
});

describe("any text", () => {
  it("spelling, capitals, signs and invisible letters do not matter", () => {
    expect(soundOf("seene")).toBe(soundOf("sine"));
    expect(soundOf("साँस")).toBe(soundOf("सांस"));
    expect(findRedFlag("  CHEST\u00a0—  PAIN!! ")).toEqual({ id: "chest-pain" });
    expect(findRedFlag("స్పృహ\u200c తప్పింది")).toEqual({ id: "unconscious" });
  });
  it("nothing in nothing", () => {
    for (const text of ["", " ", "\n\n", "....", "🙂🙂", "\0", "a".repeat(100_000)]) expect(findRedFlag(text)).toBeNull();
  });
  it("a long text is read at both ends", () => {
    expect(findRedFlag(`${"word ".repeat(50_000)}chest pain`)).toEqual({ id: "chest-pain" });
    expect(findRedFlag(`chest pain ${"word ".repeat(50_000)}`)).toEqual({ id: "chest-pain" });
  });
  it("hostile repetition ends", () => {
    for (const part of ["no chest pain ", "chest ", "not ", "pain not chest ", "heart_", "a", "सीने ", ",", "blood test ", "is "])
      expect(findRedFlag(part.repeat(200_000))?.id ?? "none").toMatch(/none|chest-pain/);
  });
});
