/** Spec 001 §9, in its order: the chips of the doctor list. "All" means no choice. */
export const SPECIALTY_CHIPS = [
  "Cardiologist",
  "Dermatologist",
  "Pediatrician",
  "Neurologist",
  "Orthopedic",
  "Psychiatrist",
  "Gynecologist",
  "Urologist",
  "Endocrinologist",
  "Oncologist",
  "Dentist",
  "Ophthalmologist",
  "ENT Specialist",
  "Pulmonologist",
  "Rheumatologist",
  "Gastroenterologist",
  "Hematologist",
  "Nephrologist",
] as const;
/** Spec 001 §9, in its order: the eight tiles of the dashboard. */
export const CATEGORIES = [
  "Dentistry",
  "Cardiology",
  "Pulmonary",
  "General",
  "Neurology",
  "Gastroen",
  "Laboratory",
  "Vaccination",
] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * Specialties that a doctor registers with (spec 000 §9: 38 options). Includes the exact names of the eight tiles, so that each
 * doctor is found by a tile or the search.
 */
export const SPECIALTIES = [
  "General",
  "Cardiology",
  "Dentistry",
  "Pulmonary",
  "Neurology",
  "Gastroen",
  "Laboratory",
  "Vaccination",
  "Anesthesiology",
  "Ayurveda",
  "Cardiothoracic Surgery",
  "Dermatology",
  "Diabetology",
  "Emergency Medicine",
  "Endocrinology",
  "ENT",
  "Family Medicine",
  "General Surgery",
  "Geriatrics",
  "Gynecology and Obstetrics",
  "Hematology",
  "Homeopathy",
  "Infectious Diseases",
  "Nephrology",
  "Neurosurgery",
  "Nutrition and Dietetics",
  "Oncology",
  "Ophthalmology",
  "Orthopedics",
  "Pediatric Surgery",
  "Pediatrics",
  "Physiotherapy",
  "Plastic Surgery",
  "Psychiatry",
  "Psychology",
  "Radiology",
  "Rheumatology",
  "Urology",
] as const;
export type Specialty = (typeof SPECIALTIES)[number];

/** The doctor of a category in the chips of the list; null for the three without one. */
export const specialtyOfCategory = (category: Category): (typeof SPECIALTY_CHIPS)[number] | null => DOCTOR_OF[category] ?? null;
const DOCTOR_OF: Partial<Record<Category, (typeof SPECIALTY_CHIPS)[number]>> = {
  Dentistry: "Dentist",
  Cardiology: "Cardiologist",
  Pulmonary: "Pulmonologist",
  Neurology: "Neurologist",
  Gastroen: "Gastroenterologist",
};

/** The category "General" lists these specialties, whatever category the doctor registered with. */
export const GENERALISTS = [
  "General",
  "General Physician",
  "General Practitioner",
  "General Medicine",
  "Family Medicine",
  "Family Physician",
  "Family Doctor",
  "Internal Medicine",
  "Pediatrician",
  "Paediatrician",
  "Pediatrics",
  "Paediatrics",
] as const;
/** … and all doctors of these categories whose specialty names no other field. */
export const GENERALIST_CATEGORIES = ["General", "Family Medicine", "Pediatrics"] as const;
/** Regular expression of PostgreSQL and JavaScript, without case. */
export const OTHER_FIELD =
  "cardi|heart|dent|odont|pulmon|chest|respirat|neuro|gastro|hepat|dermat|skin|gyn|obstet|orthop|ophthal|optom|otolaryng|otorhino|(^|[^a-z])(ent|eye)([^a-z]|$)|psych|urolog|nephro|kidney|oncolog|cancer|endocrin|diabet|ha?emato|rheumat|patholog|laborat|microbiolog|radiolog|ayurved|homo?eopath|surg|physio|nutrition|diet|an(a)?esth|emergency";

/** Names of a medical field in categories and specialties. Without general practice, which contradicts nothing. */
const FIELDS: readonly RegExp[] = [
  /cardi|heart/i,
  /dent|odont/i,
  /pulmon|chest|respirat/i,
  /neuro/i,
  /gastro|hepat/i,
  /dermat|skin/i,
  /pa?ediat|neonat|child/i,
  /gyn|obstet/i,
  /orthop/i,
  /ophthal|\beye/i,
  /\bent\b|otolaryng|otorhino/i,
  /psychiat/i,
  /urolog/i,
  /nephro/i,
  /oncolog|cancer/i,
  /endocrin|diabet/i,
  /ha?emato/i,
  /rheumat/i,
  /patholog|laborat|microbiolog/i,
  /radiolog/i,
  /ayurved/i,
  /hom(o)?eopath/i,
];
const fieldsOf = (words: string) => FIELDS.filter((field) => field.test(words));
/** Returns true when category and specialty both name a field and share none, as "Dentistry" and "Cardiologist". */
export function contradicts(category: string, specialty: string): boolean {
  const [one, other] = [fieldsOf(category), fieldsOf(specialty)];
  return one.length > 0 && other.length > 0 && !one.some((field) => other.includes(field));
}
