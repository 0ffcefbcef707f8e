import { language } from "#app/lib/language.ts";

/** Large cities of India, towns of Andhra Pradesh and Telangana, and states: [Telugu, Hindi]. Other names stay in Latin script. */
const NAMES: Record<string, readonly [te: string, hi: string]> = {
  Vijayawada: ["విజయవాడ", "विजयवाड़ा"],
  Guntur: ["గుంటూరు", "गुंटूर"],
  Mangalagiri: ["మంగళగిరి", "मंगलगिरि"],
  Tenali: ["తెనాలి", "तेनाली"],
  Amaravati: ["అమరావతి", "अमरावती"],
  Visakhapatnam: ["విశాఖపట్నం", "विशाखापत्तनम"],
  Vizianagaram: ["విజయనగరం", "विजयनगरम"],
  Srikakulam: ["శ్రీకాకుళం", "श्रीकाकुलम"],
  Rajahmundry: ["రాజమండ్రి", "राजमुंद्री"],
  Kakinada: ["కాకినాడ", "काकीनाडा"],
  Eluru: ["ఏలూరు", "एलुरु"],
  Bhimavaram: ["భీమవరం", "भीमवरम"],
  Machilipatnam: ["మచిలీపట్నం", "मछलीपट्टनम"],
  Gudivada: ["గుడివాడ", "गुडिवाड़ा"],
  Narasaraopet: ["నరసరావుపేట", "नरसरावपेट"],
  Ongole: ["ఒంగోలు", "ओंगोल"],
  Nellore: ["నెల్లూరు", "नेल्लोर"],
  Tirupati: ["తిరుపతి", "तिरुपति"],
  Chittoor: ["చిత్తూరు", "चित्तूर"],
  Kadapa: ["కడప", "कडपा"],
  Kurnool: ["కర్నూలు", "कुरनूल"],
  Nandyal: ["నంద్యాల", "नंद्याल"],
  Anantapur: ["అనంతపురం", "अनंतपुर"],
  Hyderabad: ["హైదరాబాద్", "हैदराबाद"],
  Secunderabad: ["సికింద్రాబాద్", "सिकंदराबाद"],
  Warangal: ["వరంగల్", "वारंगल"],
  Karimnagar: ["కరీంనగర్", "करीमनगर"],
  Khammam: ["ఖమ్మం", "खम्मम"],
  Nizamabad: ["నిజామాబాద్", "निज़ामाबाद"],
  Nalgonda: ["నల్గొండ", "नलगोंडा"],
  Mahbubnagar: ["మహబూబ్‌నగర్", "महबूबनगर"],
  Adilabad: ["ఆదిలాబాద్", "आदिलाबाद"],
  Bengaluru: ["బెంగళూరు", "बेंगलुरु"],
  Chennai: ["చెన్నై", "चेन्नई"],
  Mumbai: ["ముంబై", "मुंबई"],
  Pune: ["పుణె", "पुणे"],
  Delhi: ["ఢిల్లీ", "दिल्ली"],
  "New Delhi": ["న్యూఢిల్లీ", "नई दिल्ली"],
  Kolkata: ["కోల్‌కతా", "कोलकाता"],
  Ahmedabad: ["అహ్మదాబాద్", "अहमदाबाद"],
  Jaipur: ["జైపూర్", "जयपुर"],
  Lucknow: ["లక్నో", "लखनऊ"],
  Nagpur: ["నాగపూర్", "नागपुर"],
  "Andhra Pradesh": ["ఆంధ్రప్రదేశ్", "आंध्र प्रदेश"],
  Telangana: ["తెలంగాణ", "तेलंगाना"],
  Karnataka: ["కర్ణాటక", "कर्नाटक"],
  "Tamil Nadu": ["తమిళనాడు", "तमिलनाडु"],
  Maharashtra: ["మహారాష్ట్ర", "महाराष्ट्र"],
  Odisha: ["ఒడిశా", "ओडिशा"],
};

/** Returns the name of a city or state in the reader's script if it is known, otherwise unchanged. For texts on a page, not for searching or storing. */
export function placeWord(name: string): string {
  const chosen = language();
  const own = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (!own || chosen === "en") return name;
  return chosen === "te" ? own[0] : own[1];
}
