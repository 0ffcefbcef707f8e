import { expect, it } from "vitest";
import { LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { meantBy } from "./meant.ts";
import { categoryForSymptoms } from "./symptoms.ts";

it.each(LANGUAGES)("finds a kind of doctor for each word that visitors are offered (%s)", (locale) => {
  const words = [m.front_fever, m.front_sugar, m.front_tooth, m.front_back, m.front_pregnancy, m.front_skin];
  const found = words.map((word) => meantBy(word({}, { locale })));
  expect(found.map((meant) => meant?.kind.label)).toEqual([
    "General Physician",
    "Endocrinologist",
    "Dentist",
    "Orthopedic",
    "Gynecologist",
    "Dermatologist",
  ]);
  // Nothing is left to search for by name.
  expect(found.map((meant) => meant?.rest)).toEqual(words.map(() => ""));
});

it.each([
  ["Pain in my chest", "Cardiology"],
  ["my HEART beats fast", "Cardiology"],
  ["teeth hurt when I eat", "Dentistry"],
  ["dry cough", "Pulmonary"],
  ["Asthma, since childhood", "Pulmonary"],
  ["fever for 3 days", "General"],
  ["my child does not eat", "General"],
  ["headache", "Neurology"],
  ["stomach upset", "Gastroen"],
  ["liver test", "Gastroen"],
  ["lab report", "Laboratory"],
  ["vaccination for travel", "Vaccination"],
])("%s: %s (spec 001 §9)", (text, category) => expect(categoryForSymptoms(text)).toBe(category));

it("the first match of the table wins, anywhere in the text", () => {
  expect(categoryForSymptoms("fever and chest trouble")).toBe("Cardiology");
  expect(categoryForSymptoms("headache with cough")).toBe("Pulmonary");
});

it("a children's doctor is the pediatrician, a child's complaint is for the general physician", () => {
  for (const text of ["children's doctor", "child doctor", "Kids doctor guntur", "baby specialist", "పిల్లల డాక్టర్", "बच्चों के डॉक्टर"])
    expect(meantBy(text)?.kind.label, text).toBe("Pediatrician");
  for (const text of ["child fever", "my child does not eat", "kidney fever doctor"])
    expect(meantBy(text)?.kind.label, text).toBe("General Physician");
  expect(meantBy("kids skin doctor")?.kind.label).toBe("Dermatologist");
  expect(meantBy("kids doctor guntur")?.rest).toBe("guntur");
});

it("matches single whole words only", () => {
  for (const text of ["", "   ", "chests", "heartburn", "label", "children", "a labrador", "stomachache", "fevers", "tooth"])
    expect(categoryForSymptoms(text)).toBeNull();
  expect(categoryForSymptoms("(chest)")).toBe("Cardiology");
  expect(categoryForSymptoms("fever/cough")).toBe("Pulmonary");
});

it("reads at most the length of a field", () => expect(categoryForSymptoms(`${"x ".repeat(1_000_000)}chest`)).toBeNull());

it.each([
  ["నాకు జ్వరం వచ్చింది", "General"],
  ["జ్వరంగా ఉంది", "General"],
  ["jvaram", "General"],
  ["naku jwaram vachindi", "General"],
  ["मुझे बुखार है", "General"],
  ["bukhar", "General"],
  ["teen din se bukhaar hai", "General"],
  ["ఛాతీలో మంట", "Cardiology"],
  ["chhaati mein jalan", "Cardiology"],
  ["seene mein dard", "Cardiology"],
  ["గుండె దడ", "Cardiology"],
  ["gunde dada", "Cardiology"],
  ["दिल की धड़कन", "Cardiology"],
  ["పళ్ళు జివ్వుమంటున్నాయి", "Dentistry"],
  ["pannu noppi", "Dentistry"],
  ["दाँत में दर्द", "Dentistry"],
  ["दांतों में दर्द", "Dentistry"],
  ["daant dard", "Dentistry"],
  ["పొడి దగ్గు", "Pulmonary"],
  ["daggu, jalubu", "Pulmonary"],
  ["सूखी खाँसी", "Pulmonary"],
  ["khaansi", "Pulmonary"],
  ["ఉబ్బసం", "Pulmonary"],
  ["दमा", "Pulmonary"],
  ["మా పిల్లవాడు తినడం లేదు", "General"],
  ["बच्चे को उल्टी", "General"],
  ["తలనొప్పి", "Neurology"],
  ["tala noppi ga undi", "Neurology"],
  ["सिर में दर्द", "Neurology"],
  ["sir dard", "Neurology"],
  ["కడుపు నొప్పి", "Gastroen"],
  ["kadupulo noppi", "Gastroen"],
  ["पेट में दर्द", "Gastroen"],
  ["pet me dard hai", "Gastroen"],
  ["రక్త పరీక్ష చేయించాలి", "Laboratory"],
  ["खून की जाँच", "Laboratory"],
  ["టీకా వేయించాలి", "Vaccination"],
  ["बच्चों का टीकाकरण", "General"],
])("%s: %s", (text, category) => expect(categoryForSymptoms(text)).toBe(category));
it("does not match words that only look similar", () => {
  for (const text of [
    "dear sir",
    "my pet is well",
    "sir, please help",
    "dental",
    "pallavi",
    "tala",
    "दिलीप",
    "पेटी",
    "తలుపు",
    "noppi",
    "dard",
  ])
    expect([text, categoryForSymptoms(text)]).toEqual([text, null]);
});
