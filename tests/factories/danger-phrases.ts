/**
 * Danger phrases and harmless ones in verb forms, written out as people type them: tenses, persons, joined words, Latin letters and
 * common misspellings. Independent of the forms that the product generates.
 */
const combine = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((all, part) => all.flatMap((start) => part.map((end) => `${start}${end}`)), [""]);
const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Want to, feel like, have decided to: joined with the verb or written apart. */
const TELUGU_WISHES = ["ని ఉంది", "నుంది", "నుకుంటున్నాను", "నుకుంటున్నా", "ని అనుకుంటున్నాను", "నిపిస్తోంది", "నిపిస్తుంది", "ని అనిపిస్తోంది", "నుకుంటున్నాడు"];
const TELUGU_VERBS = ["చనిపోవాల", "చచ్చిపోవాల", "చావాల", "ఆత్మహత్య చేసుకోవాల", "ఉరి వేసుకోవాల", "ప్రాణాలు తీసుకోవాల", "చని పోవాల"];
const TELUGU_LATIN_WISHES = ["ni undi", "nundi", "nukuntunna", "nukuntunnanu", "ni anukuntunnanu", "nipistondi", "nipisthundi"];
const TELUGU_LATIN_VERBS = [
  "chanipovala",
  "chachipovala",
  "chachchipovala",
  "chavala",
  "chaavaala",
  "aathmahathya chesukovala",
  "uri vesukovala",
  "pranalu theesukovala",
];
const HINDI_WISHES = [" चाहता हूं", " चाहती हूँ", " चाहते हैं", " चाह रहा हूँ", " चाह रही हूं"];
const HINDI_VERBS = ["मरना", "मर जाना", "खुदकुशी करना", "आत्महत्या करना", "जान देना", "फांसी लगाना"];
const HINDI_LATIN_WISHES = [" chahta hu", " chahti hoon", " chaahta hun", " chah raha hu", " chahte hain"];
const HINDI_LATIN_VERBS = ["marna", "mar jana", "mar jaana", "khudkushi karna", "aatmahatya karna", "jaan dena", "fansi lagana"];

/** Phrases that must alarm. */
export const DANGER_FORMS: readonly string[] = [
  ...combine(TELUGU_VERBS, TELUGU_WISHES),
  ...combine(["నేను "], ["చనిపోవాల", "చచ్చిపోవాల"], TELUGU_WISHES),
  ...combine(TELUGU_LATIN_VERBS, TELUGU_LATIN_WISHES),
  ...combine(HINDI_VERBS, HINDI_WISHES),
  ...combine(HINDI_LATIN_VERBS, HINDI_LATIN_WISHES),
  ...combine(["जीना ", "जीने का मन ", "जिंदा रहना "], ["नहीं है", "नही है"]),
  ...combine(["jeena ", "jina ", "zinda rehna "], ["nahi ", "nahin ", "nhi ", "nai "], ["chahta", "chahti"]),
  ...lines(`
    నేను చనిపోవాలనుకుంటున్నాను
    నేను చచ్చిపోతాను
    చచ్చిపోతున్నాను
    నేను చనిపోతా
    నేను చస్తాను
    నేను చస్తున్నాను
    నన్ను చనిపోనివ్వండి
    చనిపోబోతున్నాను
    చనిపోదామని ఉంది
    చచ్చిపోదామనుకుంటున్నా
    చచ్చిపోతే బాగుంటుంది
    చనిపోతే మంచిది
    నాకు చావు కావాలి
    మరణించాలని ఉంది
    నన్ను నేను చంపుకోవాలని ఉంది
    చంపుకుంటాను
    ఉరేసుకుంటాను
    ఉరేసుకోవాలని ఉంది
    ఉరి వేసుకుంటున్నాను
    ఉరివేసుకుంటా
    ఆత్మహత్య చేసుకుంటాను
    నరాలు కోసుకుంటాను
    మణికట్టు కోసుకోవాలనిపిస్తోంది
    రైలు కింద పడాలని ఉంది
    బిల్డింగ్ మీద నుంచి దూకాలనిపిస్తోంది
    బావిలో దూకాలనుకుంటున్నాను
    నాకు బతకాలని లేదు
    బతకాలనిపించడం లేదు
    బ్రతకాలనిపించట్లేదు
    బతకాలనిలేదు
    నేను బతకలేను
    ఇక బ్రతకలేను
    బతకడం ఇష్టం లేదు
    జీవితం మీద విరక్తి వచ్చింది
    జీవితాన్ని ముగించాలని ఉంది
    సూసైడ్ చేసుకోవాలని ఉంది
    విషం తాగాలని ఉంది
    పురుగుల మందు తాగుతాను
    ప్రాణాలు తీసుకుంటాను
    nenu chanipotanu
    nenu chachipotha
    nenu chanipothunna
    chachipotunnanu
    nenu chasthanu
    chanipodam ani undi
    chachipothe bagundu
    chanipote manchidi
    nannu nenu champukuntanu
    champukovali ani undi
    uresukuntanu
    uri vesukuntunna
    naralu kosukuntanu
    train kinda padalani undi
    building meeda nunchi dukalani undi
    naku bathakalani ledu
    batakalanipinchadam ledu
    nenu bathakalenu
    brathakalenu inka
    jeevitham meeda virakthi vachindi
    suicide chesukovalani undi
    visham tagalani undi
    pranalu tisukuntanu
    मैं मर जाऊंगा
    मैं मर जाऊँगी
    मैं मर जाऊं
    मर जाऊ क्या
    मैं मरूंगा
    मैं मरूँगी
    मुझे मर जाने दो
    मुझे मरने दो
    मरने का मन कर रहा है
    मरने की इच्छा होती है
    मर जाने का दिल करता है
    मुझे मरना है
    अब मर जाना है
    मुझे मौत चाहिए
    काश मौत आ जाए
    खुद को मार लूंगा
    खुद को खत्म कर लूंगी
    अपने आप को मार डालूंगा
    अपनी जिंदगी खत्म करना चाहता हूं
    अपना जीवन समाप्त कर दूंगा
    जिंदगी से तंग आ गया हूं
    जीने से ऊब गई हूं
    जान दे दूंगा
    अपनी जान ले लूंगी
    फंदे पर लटक जाऊंगा
    फांसी लगा लूंगी
    फांसी पर झूल जाऊंगा
    नस काट लूंगा
    कलाई काट ली है
    छत से कूद जाऊंगा
    ट्रेन के आगे कूदने वाला हूं
    जीना नहीं चाहती
    जीने की इच्छा नहीं है
    जी नहीं सकता अब
    और नहीं जीना
    सुसाइड करना चाहता हूं
    जहर खा लूंगा
    जहर खाने जा रहा हूं
    main mar jaunga
    mai mar jaungi
    mar jau kya
    main marunga
    mujhe mar jane do
    mujhe marne do
    marne ka mann kar raha hai
    marne ki ichha hoti hai
    mujhe marna hai
    mujhe maut chahiye
    kaash maut aa jaye
    khud ko maar lunga
    khud ko khatam kar lungi
    apne aap ko maar dalunga
    apni zindagi khatam karna chahta hu
    jindagi se tang aa gaya hu
    jaan de dunga
    apni jaan le lungi
    fande par latak jaunga
    phansi laga lunga
    nas kaat lunga
    chhat se kood jaunga
    ji nahi sakta ab
    nahi jeena mujhe
    suicide karna hai
    zeher kha lunga
    ఊపిరి ఆడట్లేదు
    ఊపిరి ఆడటంలేదు
    ఊపిరి ఆడడంలేదు
    ఊపిరి అందట్లేదు
    శ్వాస ఆడట్లేదు
    ఊపిరాడటంలేదు
    శ్వాస తీసుకోలేకపోతున్నాను
    oopiri aadatamledu
    oopiri andadamledu
    swasa aadatledu
    రక్తం ఆగట్లేదు
    రక్తం ఆగడంలేదు
    నాన్న కదలట్లేదు
    అమ్మ పలకడంలేదు
    బాబు లేవట్లేదు
    nanna kadalatledu
  `),
];

/** Things that "die" in every language, without anyone in danger. */
const ENGLISH_THINGS = ["phone", "battery", "laptop", "mobile", "car", "tv", "plant", "wifi", "watch", "computer"];
const TELUGU_THINGS = ["ఫోన్", "బ్యాటరీ", "లాప్టాప్", "టీవీ", "మొబైల్", "కారు", "మొక్క", "ఛార్జర్"];
const TELUGU_LATIN_THINGS = ["phone", "battery", "laptop", "tv", "car", "mobile"];
const HINDI_THINGS = ["फोन", "बैटरी", "लैपटॉप", "मोबाइल", "टीवी", "गाड़ी", "पौधा", "चार्जर"];
const HINDI_LATIN_THINGS = ["phone", "battery", "laptop", "mobile", "tv", "gadi"];

/** Phrases that must not alarm. */
export const HARMLESS_FORMS: readonly string[] = [
  ...combine(["my ", "the "], ENGLISH_THINGS, [" died", " is dying", " is dead", " has died"]),
  ...combine(TELUGU_THINGS, [" చచ్చిపోయింది", " చచ్చిపోతోంది", " చచ్చిపోతుంది", " చనిపోయింది"]),
  ...combine(TELUGU_LATIN_THINGS, [" chachipoyindi", " chachipotondi", " chachipothundi"]),
  ...combine(HINDI_THINGS, [" मर गया", " मर रहा है", " मर जाएगा", " मरने वाला है"]),
  ...combine(HINDI_LATIN_THINGS, [" mar gaya", " mar raha hai", " mar jayega"]),
  ...lines(`
    I am dying of laughter
    I died laughing at that video
    we are dying laughing
    she is dying of boredom
    he is dying of curiosity
    I am dying to see you
    I'm dying for a coffee
    the poison control poster
    where is the poison control poster
    poison ivy rash on my arm
    I sent a heart emoji
    a heart emoji and a smile
    heart shaped pillow
    I love you with all my heart
    the Die Hard movie
    I want to watch Die Hard tonight
    die cast toy car
    life insurance claim
    I need life insurance
    kill the background app
    killing time in the waiting room
    this traffic is killing me
    my feet are killing me
    the deadline is tomorrow
    dead battery in the remote
    I have a dead tooth
    dead skin on my feet
    drop dead gorgeous dress
    the line went dead
    the meeting was murder
    a killer deal on glasses
    hang up the phone
    hanging the washing out
    hang on a minute please
    cutting vegetables for dinner
    cut my hair short
    shoot the photo at the clinic
    the heart of the city
    heart attack movie songs
    blood group of my son
    blood donation camp on Sunday
    breathing exercises for beginners
    stroke order of letters
    a swimming stroke class
    I finished my tablets
    bleeding edge technology
    the printer is choking on paper
    the flowers in my garden are dying
    the app crashed
    accident insurance renewal
    నవ్వి నవ్వి చచ్చిపోయాను
    నవ్వలేక చచ్చిపోతున్నాను
    నవ్వలేక చస్తున్నాం
    నవ్వుతూ చచ్చిపోయాం
    సిగ్గుతో చచ్చిపోయాను
    బోర్ కొట్టి చచ్చిపోతున్నాను
    జీవిత బీమా కావాలి
    హృదయం ఎమోజీ పంపాను
    గుండె ఎమోజీ పంపింది
    విషం గురించి పోస్టర్
    పాము బొమ్మ కొన్నాను
    రక్త పరీక్ష చేయించాలి
    రక్తదానం చేశాను
    ఉరికి వెళ్తున్నాను
    ఊరికి వెళ్ళాలని ఉంది
    ఇంటికి వెళ్ళాలనుకుంటున్నాను
    అన్నం తినాలనుకుంటున్నాను
    నిద్రపోవాలని ఉంది
    నిద్రపోవాలనిపిస్తోంది
    డాక్టర్ని కలవాలనుకుంటున్నాను
    మందు తీసుకోవాలనుకుంటున్నాను
    అపాయింట్మెంట్ తీసుకోవాలని ఉంది
    కారులో పోవాలనుకుంటున్నాను
    టికెట్ తీసుకుంటాను
    నీళ్లు తాగాలని ఉంది
    ఆడుకోవాలని ఉంది
    కళ్ళజోడు పెట్టుకుంటాను
    చొక్కా వేసుకోవాలని ఉంది
    చెప్పులు వేసుకుంటున్నాను
    జుట్టు కోసుకోవాలి
    చదువుకోవాలని ఉంది
    జీవితం బాగుంది
    బతుకమ్మ పండుగ శుభాకాంక్షలు
    ప్రాణ స్నేహితుడు
    ఫోన్ పలకట్లేదు
    కరెంటు పోయింది
    నెట్ ఆగిపోయింది
    navvi navvi chachipoyanu
    navvaleka chachipothunnam
    bore kotti chachipothunna
    jeevitha bima kavali
    intiki vellalani undi
    nidra povalani undi
    annam tinalani undi
    doctor ni kalavalani undi
    ooriki vellalanukuntunnanu
    appointment tisukovalani undi
    mandu tisukuntanu
    chokka vesukuntanu
    chaduvukovalani undi
    bathukamma panduga
    jeevitham bagundi
    हंसते हंसते मर गया
    हंस हंस कर मर गए
    हंसते हंसते मर रहा हूं
    हंसी से मर जाऊंगा
    हंसी के मारे मर रही हूं
    शर्म से मर जाऊंगी
    बोरियत से मर रहा हूं
    दिल वाला इमोजी भेजा
    जहर वाला पोस्टर कहां है
    जीवन बीमा खत्म करना है
    जीवन बीमा चाहिए
    खून की जांच करानी है
    खून दान करना है
    मैं घर जाना चाहता हूं
    मैं डॉक्टर से मिलना चाहती हूं
    सोने का मन कर रहा है
    खाने की इच्छा नहीं है
    दवा लेना चाहता हूं
    सांप सीढ़ी खेलना है
    मरम्मत करवानी है
    मिर्च खाना मना है
    मरीज को दिखाना है
    मरहम लगाना है
    जानकारी देना चाहता हूं
    जान पहचान के डॉक्टर
    जीना चढ़ने में थकान
    बाल काटना है
    नाखून काटने हैं
    घर की छत से पानी टपक रहा है
    ट्रेन छूट गई
    hanste hanste mar gaya
    hans hans ke mar gaye
    hansi se mar raha hu
    haste haste mar jaunga
    sharm se mar jaungi
    boriyat se mar raha hu
    dil wala emoji bheja
    jeevan bima khatam karna hai
    ghar jana chahta hu
    doctor se milna chahti hu
    sone ka mann kar raha hai
    dawa lena chahta hu
    saanp seedhi khelna hai
    marammat karwani hai
    mareez ko dikhana hai
    jaankari dena chahta hu
    baal kaatna hai
    train chhoot gayi
    mirch khana mana hai
    marham lagana hai
  `),
];
