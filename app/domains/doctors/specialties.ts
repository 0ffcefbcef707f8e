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
