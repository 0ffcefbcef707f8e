import { expect, it } from "vitest";
import { SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { isOwnFiller, termsOf } from "./own-script.ts";

it.each([
  ["గుండె", "Cardiologist"],
  ["హృదయ", "Cardiologist"],
  ["दिल", "Cardiologist"],
  ["చర్మ", "Dermatologist"],
  ["त्वचा", "Dermatologist"],
  ["పిల్లల", "Pediatrician"],
  ["बच्चों", "Pediatrician"],
  ["నరాల", "Neurologist"],
  ["मस्तिष्क", "Neurologist"],
  ["ఎముకల", "Orthopedic"],
  ["हड्डियों", "Orthopedic"],
  ["మానసిక", "Psychiatrist"],
  ["मानसिक", "Psychiatrist"],
  ["స్త్రీల", "Gynecologist"],
  ["स्त्री", "Gynecologist"],
  ["మూత్ర", "Urologist"],
  ["मूत्र", "Urologist"],
  ["థైరాయిడ్", "Endocrinologist"],
  ["मधुमेह", "Endocrinologist"],
  ["క్యాన్సర్", "Oncologist"],
  ["कैंसर", "Oncologist"],
  ["దంత", "Dentist"],
  ["దంతవైద్యుడు", "Dentist"],
  ["दाँत", "Dentist"],
  ["दांतों", "Dentist"],
  ["కంటి", "Ophthalmologist"],
  ["आँखों", "Ophthalmologist"],
  ["చెవి", "ENT Specialist"],
  ["कान", "ENT Specialist"],
  ["ఊపిరితిత్తుల", "Pulmonologist"],
  ["फेफड़ों", "Pulmonologist"],
  ["వాత", "Rheumatologist"],
  ["गठिया", "Rheumatologist"],
  ["కడుపు", "Gastroenterologist"],
  ["पेट", "Gastroenterologist"],
  ["రక్త", "Hematologist"],
  ["रक्त", "Hematologist"],
  ["కిడ్నీ", "Nephrologist"],
  ["गुर्दे", "Nephrologist"],
])("%s finds a %s", (own, specialty) => {
  expect(termsOf(own).some((term) => ` ${specialty.toLowerCase()}`.includes(` ${term}`))).toBe(true);
});
it("every specialty of the list has a name in both languages", () => {
  const words = "గుండె చర్మ పిల్లల నరాల ఎముక మానసిక స్త్రీ మూత్ర షుగర్ క్యాన్సర్ దంత కంటి చెవి శ్వాస వాత కడుపు రక్త కిడ్నీ".split(" ");
  expect(words.map((word) => termsOf(word).length > 0)).toEqual(SPECIALTY_CHIPS.map(() => true));
});
it.each(["శ్రీనివాస్", "రావు", "గుంటూరు", "నసీమ", "राव", "नसीम", "कान्हा", "दिलीप", "पेटल"])("treats %s as a name", (own) =>
  expect(termsOf(own)).toEqual([]),
);
it("removes the words around a name", () => {
  for (const word of ["డాక్టర్", "दगड़", "डॉ", "దగ్గర"]) expect([word, isOwnFiller(word)]).toEqual([word, word !== "दगड़"]);
});
