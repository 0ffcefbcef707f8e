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
