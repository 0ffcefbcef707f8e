/** What a person types into the search in Telugu or Devanagari letters: the words that are no names. */

/** Said around what is meant: "గుండె డాక్టర్", "दाँत के डॉक्टर". */
const FILLERS = new Set(
  (
    "డాక్టర్ డాక్టరు డాక్టర్లు డాక్టర్స్ డా వైద్యుడు వైద్యులు వైద్యురాలు నిపుణుడు నిపుణులు స్పెషలిస్ట్ వ్యాధి వ్యాధులు వ్యాధుల జబ్బు జబ్బులు జబ్బుల రోగ సమస్య సమస్యలు సంబంధిత " +
    "దగ్గర దగ్గర్లో దగ్గరలో మంచి నా నాకు కి కు లో యొక్క కోసం మరియు కావాలి గారు గారి సార్ మేడం మేడమ్ " +
    "डॉक्टर डाक्टर डॉक्टर्स डॉ डा वैद्य चिकित्सक विशेषज्ञ स्पेशलिस्ट रोग रोगों बीमारी बीमारियों समस्या का की के को में मे से और पास नज़दीक नजदीक अच्छा अच्छे मुझे चाहिए जी गारु गारू साहब सर मैडम"
  ).split(" "),
);

/** Beginnings of words, in the order of the specialties of the directory; behind each, the beginnings of what people call it. */
const TERMS: readonly (readonly [latin: string, own: string])[] = [
  ["cardio|heart", "గుండె హృదయ హృద్రోగ కార్డియా दिल हृदय हार्ट कार्डियो हृदयरोग హార్ట్"],
  ["dent", "దంత దంతా దంతవైద్య పళ్ళ పళ్ల పన్ను పంటి డెంటి డెంటల్ दांत दाँत दंत दन्त डेंटि डेंटल"],
  ["derma|skin", "చర్మ డెర్మ స్కిన్ त्वचा चर्म डर्मे स्किन"],
  ["pedia|child", "పిల్లల పిల్లలు చిన్నపిల్లల శిశు పీడియా పిడియా बच्चों बच्चो बच्चे बाल शिशु पीडिया पेडिया"],
  ["neuro", "నరాల నరాలు మెదడు నాడీ న్యూరా న్యూరో दिमाग मस्तिष्क तंत्रिका नस नसों न्यूरो"],
  ["ortho|bone", "ఎముక కీళ్ళ కీళ్ల మోకాలు ఆర్థో हड्डी हड्डियों जोड़ जोड़ों ऑर्थो अस्थि"],
  ["psych", "మానసిక మనోవైద్య మనస్తత్వ సైకియా సైకాల मानसिक मनोरोग मनोचिकित्स साइकि साइको"],
  ["gyne|gyna|obste", "స్త్రీ స్త్రీల ప్రసూతి గర్భ గైన स्त्री महिला प्रसूति गर्भ गायनि गाइनि"],
  ["urolog", "మూత్ర యూరాల యూరోల मूत्र पेशाब यूरोल"],
  ["endocrin|diabet", "మధుమేహ షుగర్ చక్కెర థైరాయిడ్ డయాబె ఎండోక్రి मधुमेह शुगर डायबि थायरॉइड थायराइड एंडोक्रि"],
  ["oncolog|cancer", "క్యాన్సర్ కాన్సర్ కేన్సర్ ఆంకాల कैंसर कैन्सर ऑन्कोल ओंकोल"],
  ["ophthal|eye", "కంటి కళ్ళ కళ్ల కన్ను నేత్ర ఆప్తాల आंख आँख आंखों आँखों नेत्र ऑप्थ"],
  ["ent", "చెవి ముక్కు గొంతు ఈఎన్టీ ఇఎన్టీ कान नाक गला गले ईएनटी"],
  ["pulmo|chest", "ఊపిరితిత్తు శ్వాస ఛాతీ ఛాతి ఆస్తమా ఉబ్బసం పల్మన फेफड़ श्वास सांस साँस छाती दमा अस्थमा पल्मो"],
  ["rheuma", "వాత కీళ్లవాత రుమటా రుమాటా गठिया रुमेटो रूमेटो"],
  ["gastro", "జీర్ణ కడుపు పొట్ట ఉదర కాలేయ లివర్ గ్యాస్ట్రో पेट पाचन उदर लिवर गैस्ट्रो"],
  ["hemato", "రక్త హెమటా हेमेटो हीमेटो रक्त खून"],
  ["nephro|kidney", "కిడ్నీ మూత్రపిండ నెఫ్రా గుర్దా किडनी गुर्दा गुर्दे नेफ्रो"],
  ["general|family", "సాధారణ జనరల్ జ్వరం ఫ్యామిలీ सामान्य जनरल बुखार फैमिली"],
  ["laborat|lab|diagnos", "ల్యాబ్ లాబ్ రక్తపరీక్ష పరీక్ష लैब जाँच जांच"],
  ["vaccin", "టీకా టీకాలు వ్యాక్సిన్ टीका टीके टीकाकरण वैक्सीन"],
  ["surg", "శస్త్రచికిత్స సర్జన్ సర్జరీ ఆపరేషన్ शल्य सर्जन सर्जरी ऑपरेशन"],
  ["physio", "ఫిజియో फिजियो फ़िज़ियो"],
  ["ayurved", "ఆయుర్వేద आयुर्वेद"],
  ["homeo|homoeo", "హోమియో होम्यो होमियो"],
  ["nutrition|diet", "ఆహార పోషకా డైటీ आहार पोषण डाइट"],
  ["radiolog", "ఎక్స్రే స్కానింగ్ రేడియా एक्सरे स्कैन रेडियो"],
  ["geriatr", "వృద్ధ వృద్ధుల बुज़ुर्ग बुजुर्ग वृद्ध"],
  ["anesth", "మత్తు అనస్థీ एनेस्थी"],
  ["plastic", "ప్లాస్టిక్ प्लास्टिक"],
  ["emergen", "అత్యవసర ఎమర్జెన్సీ आपात इमरजेंसी"],
  ["hospital", "ఆసుపత్రి ఆస్పత్రి హాస్పిటల్ దవాఖాన వైద్యశాల अस्पताल हॉस्पिटल हास्पिटल दवाखाना"],
  ["clinic", "క్లినిక్ क्लिनिक क्लीनिक"],
];
const BEGINNINGS = TERMS.flatMap(([latin, own]) => own.split(" ").map((begins) => [fold(begins), latin.split("|")] as const));

/** Signs that are typed or left out are left out. */
function fold(word: string): string {
  return word
    .normalize("NFD")
    .replace(/[\u093c\u200b-\u200d]/g, "")
    .replace(/\u0901/g, "\u0902")
    .normalize("NFC");
}

export const isOwnFiller = (word: string): boolean => FILLERS.has(word.normalize("NFC")) || FILLERS.has(fold(word));

/** The beginnings of Latin words that a word for a specialty or a kind of house stands for; none when it is something else. */
export function termsOf(word: string): string[] {
  const folded = fold(word);
  // A short word must be whole: नस is a nerve, नसीम a name.
  return BEGINNINGS.find(([own]) => (own.length < 4 ? folded === own : folded.startsWith(own)))?.[1] ?? [];
}
