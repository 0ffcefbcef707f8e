import { ownEntry } from "#app/lib/own-entry.ts";
import { m } from "#app/paraglide/messages.js";
import { specialtyWord } from "../doctors/names.ts";
import type { SPECIALTY_CHIPS } from "../specialties.ts";

/** The word that patients use, with that of doctors in brackets. Telugu and Hindi have no other. "Dentist" is both. */
const PLAIN: Partial<Record<string, () => string>> = {
  Cardiologist: () => m.front_plain_cardiologist(),
  Dermatologist: () => m.front_plain_dermatologist(),
  Pediatrician: () => m.front_plain_pediatrician(),
  Neurologist: () => m.front_plain_neurologist(),
  Orthopedic: () => m.front_plain_orthopedic(),
  Psychiatrist: () => m.front_plain_psychiatrist(),
  Gynecologist: () => m.front_plain_gynecologist(),
  Urologist: () => m.front_plain_urologist(),
  Endocrinologist: () => m.front_plain_endocrinologist(),
  Oncologist: () => m.front_plain_oncologist(),
  Ophthalmologist: () => m.front_plain_ophthalmologist(),
  "ENT Specialist": () => m.front_plain_ent_specialist(),
  Pulmonologist: () => m.front_plain_pulmonologist(),
  Rheumatologist: () => m.front_plain_rheumatologist(),
  Gastroenterologist: () => m.front_plain_gastroenterologist(),
  Hematologist: () => m.front_plain_hematologist(),
  Nephrologist: () => m.front_plain_nephrologist(),
} satisfies Partial<Record<(typeof SPECIALTY_CHIPS)[number], () => string>>;

/** Returns "Heart doctor (Cardiologist)" for "Cardiologist"; the usual name of a specialty without a plain word. */
export const plainSpecialty = (name: string): string => ownEntry(PLAIN, name)?.() ?? specialtyWord(name);
