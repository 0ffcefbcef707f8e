/**
 * The texts of conversations by SMS and WhatsApp, in each language. By SMS each is a registered (DLT) text, as those of templates.ts: change
 * one only together with its registration. `{name}` is a variable of at most 30 characters; two never stand side by side. Lines with choices
 * follow the text of a question, and by SMS its `tail`. No text has a health word, an amount other than the fee, or more of a patient than the
 * first name that was typed.
 */
import type { Language } from "#app/lib/language.ts";

type Words = { text: string; tail?: string };

const NUMBER = { en: "Reply with a number.", te: "నంబర్ పంపండి.", hi: "नंबर भेजें।" };
const numbered = (en: string, te: string, hi: string): Record<Language, Words> => ({
  en: { text: en, tail: NUMBER.en },
  te: { text: te, tail: NUMBER.te },
  hi: { text: hi, tail: NUMBER.hi },
});
const plain = (en: string, te: string, hi: string): Record<Language, Words> => ({ en: { text: en }, te: { text: te }, hi: { text: hi } });

export const REPLIES = {
  // Read before a language is chosen.
  language: plain("Nadi: which language?", "నాడి: ఏ భాష?", "नाड़ी: कौन सी भाषा?"),
  "ask-doctor": plain(
    "Nadi: which doctor, or what for? Reply with a name or a word, such as Rao or dentist.",
    "నాడి: ఏ డాక్టర్, లేదా దేనికి? పేరు లేదా పదం పంపండి, ఉదా: రావు, దంతాలు.",
    "नाड़ी: कौन से डॉक्टर, या किस लिए? नाम या शब्द भेजें, जैसे राव, दाँत।",
  ),
  doctors: numbered("Which doctor?", "ఏ డాక్టర్?", "कौन से डॉक्टर?"),
  "no-doctor": plain(
    "We found no doctor for that. Reply with another name or word.",
    "డాక్టర్ దొరకలేదు. వేరే పేరు లేదా పదం పంపండి.",
    "कोई डॉक्टर नहीं मिला। दूसरा नाम या शब्द भेजें।",
  ),
  times: numbered("{doctor}, {place}. Rs {fee}.", "{doctor}, {place}. Rs {fee}.", "{doctor}, {place}. Rs {fee}."),
  "times-no-fee": numbered("{doctor}, {place}.", "{doctor}, {place}.", "{doctor}, {place}."),
  taken: numbered("That time was just taken. Free now:", "ఆ సమయం ఇప్పుడే అయిపోయింది. ఖాళీ:", "वह समय अभी भर गया। अभी खाली:"),
  days: numbered("{doctor}: which day?", "{doctor}: ఏ రోజు?", "{doctor}: किस दिन?"),
  full: plain(
    "{doctor} has no free time now. Reply with another doctor's name.",
    "{doctor}: ఇప్పుడు ఖాళీ లేదు. వేరే డాక్టర్ పేరు పంపండి.",
    "{doctor}: अभी कोई समय खाली नहीं। दूसरे डॉक्टर का नाम भेजें।",
  ),
  "ask-name": plain(
    "{at}, {doctor}. To book, reply with the patient's name, age, M or F. {host}/patient/terms",
    "{at}, {doctor}. బుక్ చేయడానికి పేషెంట్ పేరు, వయసు, M/F పంపండి. {host}/patient/terms",
    "{at}, {doctor}। बुक करने के लिए मरीज़ का नाम, उम्र, M/F भेजें। {host}/patient/terms",
  ),
  "ask-details": plain(
    "How old is {name}, and M or F? Reply like: 34 F",
    "{name} వయసు, M లేదా F? ఇలా పంపండి: 34 F",
    "{name} की उम्र, और M या F? ऐसे भेजें: 34 F",
  ),
  booked: plain(
    "Request sent: {name}, {at}, {doctor}. Pay Rs {fee} at the clinic. We write when it is confirmed.",
    "బుకింగ్ పంపాం: {name}, {at}. క్లినిక్‌లో Rs {fee} ఇవ్వండి. ఖరారైతే చెబుతాం.",
    "बुकिंग भेजी: {name}, {at}। क्लिनिक में Rs {fee} दें। पक्का होने पर बताएँगे।",
  ),
  "booked-no-fee": plain(
    "Request sent: {name}, {at}, {doctor}. We write when it is confirmed.",
    "బుకింగ్ పంపాం: {name}, {at}, {doctor}. ఖరారైతే చెబుతాం.",
    "बुकिंग भेजी: {name}, {at}, {doctor}। पक्का होने पर बताएँगे।",
  ),
  // After STOP no message says when it is confirmed.
  "booked-stopped": plain(
    "Request sent: {name}, {at}, {doctor}. Reply START to hear when it is confirmed.",
    "బుకింగ్ పంపాం: {name}, {at}, {doctor}. ఖరారైతే తెలియాలంటే START పంపండి.",
    "बुकिंग भेजी: {name}, {at}, {doctor}। पक्का होने की ख़बर के लिए START भेजें।",
  ),
  limit: plain(
    "You have booked very often. Please try again in an hour, or call the clinic.",
    "చాలా బుకింగ్‌లు అయ్యాయి. గంట తర్వాత ప్రయత్నించండి, లేదా క్లినిక్‌కు కాల్ చేయండి.",
    "बहुत बुकिंग हो गईं। एक घंटे बाद कोशिश करें, या क्लिनिक को फ़ोन करें।",
  ),
  prepaid: plain(
    "{doctor} takes bookings with payment online only. Book at {host}",
    "{doctor}: ఆన్‌లైన్‌లో చెల్లించి బుక్ చేయాలి: {host}",
    "{doctor}: ऑनलाइन भुगतान करके बुक करें: {host}",
  ),
  reminder: plain(
    "Your appointment: {at}, {doctor}, {place}.",
    "మీ అపాయింట్‌మెంట్: {at}, {doctor}, {place}.",
    "आपका अपॉइंटमेंट: {at}, {doctor}, {place}।",
  ),
  next: plain("Next: {at}, {doctor}, {place}.", "తర్వాతి అపాయింట్‌మెంట్: {at}, {doctor}, {place}.", "अगला अपॉइंटमेंट: {at}, {doctor}, {place}।"),
  "nothing-booked": plain(
    "You have no appointment. Reply BOOK to book one.",
    "మీకు అపాయింట్‌మెంట్ లేదు. బుక్ చేయడానికి BOOK పంపండి.",
    "आपका कोई अपॉइंटमेंट नहीं है। बुक करने के लिए BOOK भेजें।",
  ),
  comes: plain("Thank you. See you on {at}.", "ధన్యవాదాలు. {at} కి కలుద్దాం.", "धन्यवाद। {at} पर मिलेंगे।"),
  cancelled: plain(
    "Cancelled: {at}. Reply {keyword} to book again.",
    "రద్దయింది: {at}. మళ్లీ బుక్ చేయడానికి {keyword} పంపండి.",
    "रद्द हो गया: {at}। फिर बुक करने के लिए {keyword} भेजें।",
  ),
  "too-late": plain(
    "It is too late to change this here. Please call the clinic.",
    "ఇక్కడ మార్చడానికి ఆలస్యమైంది. దయచేసి క్లినిక్‌కు కాల్ చేయండి.",
    "यहाँ बदलने का समय निकल गया। कृपया क्लिनिक को फ़ोन करें।",
  ),
  "too-late-call": plain(
    "It is too late to change this here. Please call {phone}.",
    "ఇక్కడ మార్చడానికి ఆలస్యమైంది. దయచేసి {phone} కు కాల్ చేయండి.",
    "यहाँ बदलने का समय निकल गया। कृपया {phone} पर फ़ोन करें।",
  ),
  gone: plain(
    "This appointment can no longer be changed. Reply WHEN for your next one.",
    "ఈ అపాయింట్‌మెంట్ ఇక మార్చలేం. తర్వాతి దాని కోసం WHEN పంపండి.",
    "यह अपॉइंटमेंट अब बदल नहीं सकते। अगले के लिए WHEN भेजें।",
  ),
  "move-times": numbered("Which time instead of {at}?", "{at} బదులు ఏ సమయం?", "{at} के बदले कौन सा समय?"),
  moved: plain(
    "Moved: {at}, {doctor}. We write when it is confirmed.",
    "మారింది: {at}, {doctor}. ఖరారైతే చెబుతాం.",
    "समय बदला: {at}, {doctor}। पक्का होने पर बताएँगे।",
  ),
  "moved-stopped": plain(
    "Moved: {at}, {doctor}. Reply START to hear when it is confirmed.",
    "మారింది: {at}, {doctor}. ఖరారైతే తెలియాలంటే START పంపండి.",
    "समय बदला: {at}, {doctor}। पक्का होने की ख़बर के लिए START भेजें।",
  ),
  offer: plain(
    "A time is free: {doctor}, {at}. Yours until {other}.",
    "ఒక సమయం ఖాళీ: {doctor}, {at}. {other} వరకు మీకే.",
    "एक समय खाली है: {doctor}, {at}। {other} तक आपका।",
  ),
  "offer-taken": plain("Booked: {at}, {doctor}.", "బుక్ అయింది: {at}, {doctor}.", "बुक हो गया: {at}, {doctor}।"),
  "offer-moved": plain(
    "Booked: {at}, {doctor}. Your time on {other} is given back.",
    "బుక్ అయింది: {at}, {doctor}. {other} సమయం వదిలేశాం.",
    "बुक हो गया: {at}, {doctor}। {other} का समय छोड़ दिया।",
  ),
  "offer-over": plain(
    "This offer has ended. You keep your place on the waitlist.",
    "ఈ ఆఫర్ ముగిసింది. వెయిట్‌లిస్ట్‌లో మీ స్థానం అలాగే ఉంది.",
    "यह ऑफ़र ख़त्म हो गया। वेटलिस्ट में आपकी जगह बनी है।",
  ),
  "offer-ended": plain(
    "This offer has ended. Reply BOOK for another time.",
    "ఈ ఆఫర్ ముగిసింది. వేరే సమయానికి BOOK పంపండి.",
    "यह ऑफ़र ख़त्म हो गया। दूसरे समय के लिए BOOK भेजें।",
  ),
  "not-booked": plain(
    "We could not book this. Please call the clinic.",
    "ఇది బుక్ కాలేదు. దయచేసి క్లినిక్‌కు కాల్ చేయండి.",
    "यह बुक नहीं हो सका। कृपया क्लिनिक को फ़ोन करें।",
  ),
  "call-clinic": plain("Please call the clinic: {phone}.", "దయచేసి క్లినిక్‌కు కాల్ చేయండి: {phone}.", "कृपया क्लिनिक को फ़ोन करें: {phone}।"),
  passed: plain(
    "You keep your place. We write when another time is free.",
    "మీ స్థానం అలాగే ఉంది. వేరే సమయం ఖాళీ అయితే చెబుతాం.",
    "आपकी जगह बनी है। दूसरा समय खाली होने पर बताएँगे।",
  ),
  token: plain(
    "Token {number}, {text}. Now seeing {seeing}. Expected about {time}.",
    "టోకెన్ {number}, {text}. ఇప్పుడు {seeing}. సుమారు {time}.",
    "टोकन {number}, {text}। अभी {seeing}। लगभग {time}।",
  ),
  "token-first": plain(
    "Token {number}, {text}. Expected about {time}.",
    "టోకెన్ {number}, {text}. సుమారు {time}.",
    "टोकन {number}, {text}। लगभग {time}।",
  ),
  "token-waiting": plain(
    "Token {number}, {text}. The time is not known yet.",
    "టోకెన్ {number}, {text}. సమయం ఇంకా తెలియదు.",
    "टोकन {number}, {text}। समय अभी पता नहीं।",
  ),
  "no-token": plain("You have no token today.", "ఈరోజు మీకు టోకెన్ లేదు.", "आज आपका कोई टोकन नहीं है।"),
  address: plain("{name}. Map: {host}/h/{slug}", "{name}. మ్యాప్: {host}/h/{slug}", "{name}। नक्शा: {host}/h/{slug}"),
  stopped: plain(
    "Nadi sends you no more messages, except codes and answers to yours. Reply START to get them again.",
    "కోడ్‌లు, మీ మెసేజ్‌ల జవాబులు తప్ప నాడి ఇక మెసేజ్‌లు పంపదు. మళ్లీ కావాలంటే START పంపండి.",
    "कोड और आपके संदेशों के जवाब को छोड़कर नाड़ी अब संदेश नहीं भेजेगा। फिर चाहिए तो START भेजें।",
  ),
  started: plain("Nadi sends you messages again.", "నాడి మళ్లీ మెసేజ్‌లు పంపుతుంది.", "नाड़ी फिर से संदेश भेजेगा।"),
  danger: plain(
    "This may be an emergency. Call 108 (ambulance) or 112 now.",
    "ఇది ఎమర్జెన్సీ కావచ్చు. వెంటనే 108 (అంబులెన్స్) లేదా 112 కు కాల్ చేయండి.",
    "यह इमरजेंसी हो सकती है। अभी 108 (एम्बुलेंस) या 112 पर फ़ोन करें।",
  ),
  "danger-near": plain(
    "This may be an emergency. Call 108 (ambulance) or 112 now. Near the clinic: {name}, {phone}.",
    "ఎమర్జెన్సీ కావచ్చు. వెంటనే 108 లేదా 112 కు కాల్ చేయండి. క్లినిక్ దగ్గర: {name}, {phone}.",
    "इमरजेंसी हो सकती है। अभी 108 या 112 पर फ़ोन करें। क्लिनिक के पास: {name}, {phone}।",
  ),
  "to-clinic": plain(
    "I pass this on to the clinic. They answer here.",
    "ఇది క్లినిక్‌కు పంపుతున్నాను. వాళ్లు ఇక్కడే జవాబిస్తారు.",
    "यह क्लिनिक को भेज रहा हूँ। वे यहीं जवाब देंगे।",
  ),
  menu: plain(
    "Nadi: reply BOOK or a doctor's name to book. WHEN: your next appointment. TOKEN: your token. STOP: no messages.",
    "నాడి: బుకింగ్‌కు BOOK. తర్వాతి అపాయింట్‌మెంట్: WHEN. మీ టోకెన్: TOKEN. మెసేజ్‌లు వద్దంటే: STOP.",
    "नाड़ी: बुकिंग के लिए BOOK. अगला अपॉइंटमेंट: WHEN. आपका टोकन: TOKEN. संदेश बंद: STOP.",
  ),
  // Answers of a clinic that are ready to press.
  "desk-yes": plain("The clinic answers: Yes, please do.", "క్లినిక్ జవాబు: అవును, అలాగే చేయండి.", "क्लिनिक का जवाब: हाँ, ज़रूर।"),
  "desk-again": plain(
    "The clinic answers: Please book a second time. Reply BOOK.",
    "క్లినిక్ జవాబు: దయచేసి మరో సమయం బుక్ చేయండి. BOOK పంపండి.",
    "क्लिनिक का जवाब: कृपया एक और समय बुक करें। BOOK भेजें।",
  ),
  "desk-call": plain("The clinic answers: Please call us.", "క్లినిక్ జవాబు: దయచేసి మాకు కాల్ చేయండి.", "क्लिनिक का जवाब: कृपया हमें फ़ोन करें।"),
  // By WhatsApp only, to a user who shows a name instead of a number.
  "no-number": plain(
    "WhatsApp does not tell Nadi your phone number, so we cannot book here. Please book at {host}.",
    "వాట్సాప్ మీ ఫోన్ నంబర్ నాడికి చెప్పదు, ఇక్కడ బుక్ చేయలేం. {host} లో బుక్ చేయండి.",
    "व्हाट्सऐप आपका फ़ोन नंबर नाड़ी को नहीं बताता, यहाँ बुक नहीं हो सकता। {host} पर बुक करें।",
  ),
  choose: plain("Please reply with one of these numbers.", "దయచేసి ఈ నంబర్లలో ఒకటి పంపండి.", "कृपया इनमें से एक नंबर भेजें।"),
  flood: plain(
    "You have sent many messages. Please wait half an hour.",
    "చాలా మెసేజ్‌లు వచ్చాయి. దయచేసి అరగంట ఆగండి.",
    "बहुत संदेश आ गए। कृपया आधा घंटा रुकें।",
  ),
} as const satisfies Record<string, Record<Language, Words>>;
export type ReplyName = keyof typeof REPLIES;

/** The words of choices. */
export const CHOICES = {
  more: { en: "Other days", te: "వేరే రోజులు", hi: "और दिन" },
  come: { en: "I come", te: "వస్తాను", hi: "आ रहे हैं" },
  cancel: { en: "Cancel", te: "రద్దు", hi: "रद्द" },
  "cancel-free": { en: "Cancel (until {until})", te: "రద్దు ({until} వరకు)", hi: "रद्द ({until} तक)" },
  move: { en: "Another time", te: "వేరే సమయం", hi: "दूसरा समय" },
  take: { en: "Take it", te: "తీసుకుంటాను", hi: "लेना है" },
  pass: { en: "No, thank you", te: "వద్దు", hi: "नहीं" },
  keep: { en: "Keep my time, {at}", te: "నా సమయమే, {at}", hi: "मेरा समय रहे, {at}" },
  address: { en: "Address", te: "అడ్రస్", hi: "पता" },
} as const satisfies Record<string, Record<Language, string>>;
