/** Spec 001 §9, in its order. The chips of the doctor list; "All" is the absence of a choice. */
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
/** Spec 001 §9: the eight tiles of the dashboard, in its order. */
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
 * What a doctor chooses from when registering (spec 000 §9: 38 options). The eight tiles come under their exact names, so
 * that each doctor is found behind a tile or by the search.
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

/** Words that name a field of medicine, in categories and in specialties. General practice is not among them: it contradicts nothing. */
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
/** True when category and specialty both name a field of medicine and share none, as "Dentistry" and "Cardiologist". */
export function contradicts(category: string, specialty: string): boolean {
  const [one, other] = [fieldsOf(category), fieldsOf(specialty)];
  return one.length > 0 && other.length > 0 && !one.some((field) => other.includes(field));
}
