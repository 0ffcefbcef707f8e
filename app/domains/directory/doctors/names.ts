/** Names of the fixed lists in the reader's language. English names are stored and sent. Other names are shown unchanged. */

import type { SPECIALTIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { ownEntry } from "#app/lib/own-entry.ts";
import type { LANGUAGE_CHOICES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { EDIT_CATEGORIES } from "./edit-categories.ts";

type Words<T extends string> = Record<T, () => string>;

/** Names of a doctor: the chips of the list (spec 001 §9), and the general physician. */
const DOCTORS: Words<(typeof SPECIALTY_CHIPS)[number] | "General Physician"> = {
  Cardiologist: () => m.names_doctor_cardiologist(),
  Dermatologist: () => m.names_doctor_dermatologist(),
  Pediatrician: () => m.names_doctor_pediatrician(),
  Neurologist: () => m.names_doctor_neurologist(),
  Orthopedic: () => m.names_doctor_orthopedic(),
  Psychiatrist: () => m.names_doctor_psychiatrist(),
  Gynecologist: () => m.names_doctor_gynecologist(),
  Urologist: () => m.names_doctor_urologist(),
  Endocrinologist: () => m.names_doctor_endocrinologist(),
  Oncologist: () => m.names_doctor_oncologist(),
  Dentist: () => m.names_doctor_dentist(),
  Ophthalmologist: () => m.names_doctor_ophthalmologist(),
  "ENT Specialist": () => m.names_doctor_ent_specialist(),
  Pulmonologist: () => m.names_doctor_pulmonologist(),
  Rheumatologist: () => m.names_doctor_rheumatologist(),
  Gastroenterologist: () => m.names_doctor_gastroenterologist(),
  Hematologist: () => m.names_doctor_hematologist(),
  Nephrologist: () => m.names_doctor_nephrologist(),
  "General Physician": () => m.names_doctor_general_physician(),
};
/** Names of a field: what a doctor registers with (spec 000 §9), and the names in the profile form. */
const FIELDS: Words<(typeof SPECIALTIES)[number] | (typeof EDIT_CATEGORIES)[number]["name"]> = {
  General: () => m.names_field_general(),
  Cardiology: () => m.names_field_cardiology(),
  Dentistry: () => m.names_field_dentistry(),
  Pulmonary: () => m.names_field_pulmonary(),
  Pulmonology: () => m.names_field_pulmonology(),
  Neurology: () => m.names_field_neurology(),
  Gastroen: () => m.names_field_gastroen(),
  Gastroenterology: () => m.names_field_gastroenterology(),
  Laboratory: () => m.names_field_laboratory(),
  Vaccination: () => m.names_field_vaccination(),
  Anesthesiology: () => m.names_field_anesthesiology(),
  Ayurveda: () => m.names_field_ayurveda(),
  "Cardiothoracic Surgery": () => m.names_field_cardiothoracic_surgery(),
  Dermatology: () => m.names_field_dermatology(),
  Diabetology: () => m.names_field_diabetology(),
  "Emergency Medicine": () => m.names_field_emergency_medicine(),
  Endocrinology: () => m.names_field_endocrinology(),
  ENT: () => m.names_field_ent(),
  "Family Medicine": () => m.names_field_family_medicine(),
  "General Surgery": () => m.names_field_general_surgery(),
  Geriatrics: () => m.names_field_geriatrics(),
  "Gynecology and Obstetrics": () => m.names_field_gynecology_and_obstetrics(),
  Hematology: () => m.names_field_hematology(),
  Homeopathy: () => m.names_field_homeopathy(),
  "Infectious Diseases": () => m.names_field_infectious_diseases(),
  Nephrology: () => m.names_field_nephrology(),
  Neurosurgery: () => m.names_field_neurosurgery(),
  "Nutrition and Dietetics": () => m.names_field_nutrition_and_dietetics(),
  Oncology: () => m.names_field_oncology(),
  Ophthalmology: () => m.names_field_ophthalmology(),
  Orthopedics: () => m.names_field_orthopedics(),
  "Pediatric Surgery": () => m.names_field_pediatric_surgery(),
  Pediatrics: () => m.names_field_pediatrics(),
  Physiotherapy: () => m.names_field_physiotherapy(),
  "Plastic Surgery": () => m.names_field_plastic_surgery(),
  Psychiatry: () => m.names_field_psychiatry(),
  Psychology: () => m.names_field_psychology(),
  Radiology: () => m.names_field_radiology(),
  Rheumatology: () => m.names_field_rheumatology(),
  Urology: () => m.names_field_urology(),
};
const LANGUAGES: Words<(typeof LANGUAGE_CHOICES)[number]> = {
  English: () => m.names_language_english(),
  Hindi: () => m.names_language_hindi(),
  Telugu: () => m.names_language_telugu(),
  Tamil: () => m.names_language_tamil(),
  Kannada: () => m.names_language_kannada(),
  Malayalam: () => m.names_language_malayalam(),
  Marathi: () => m.names_language_marathi(),
  Bengali: () => m.names_language_bengali(),
  Gujarati: () => m.names_language_gujarati(),
  Odia: () => m.names_language_odia(),
  Punjabi: () => m.names_language_punjabi(),
  Urdu: () => m.names_language_urdu(),
};

const KNOWN: Partial<Words<string>> = { ...FIELDS, ...DOCTORS };
/** Translates "Cardiologist", "Cardiology" or "General Physician". Returns other names unchanged. */
export const specialtyWord = (name: string): string => ownEntry(KNOWN, name)?.() ?? name;

const SPOKEN: Partial<Words<string>> = LANGUAGES;
/** Translates the name of a language ("Telugu"). Returns other names unchanged. */
export const languageWord = (name: string): string => ownEntry(SPOKEN, name)?.() ?? name;
