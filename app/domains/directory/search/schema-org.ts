/** schema.org data of doctors and hospitals. `schema-dts` checks every type, property and value. */

import type {
  AggregateRating,
  DentistLeaf,
  DiagnosticLabLeaf,
  HospitalLeaf,
  MedicalClinicLeaf,
  MedicalSpecialty,
  PharmacyLeaf,
  PhysicianLeaf,
  PostalAddress,
} from "schema-dts";
import type { Rating } from "#app/domains/directory/rating.ts";
import type { Specialty } from "#app/domains/directory/specialties.ts";
import type { HospitalCategory } from "#app/lib/vocabulary.ts";

type Place = HospitalLeaf | MedicalClinicLeaf | DentistLeaf | DiagnosticLabLeaf | PharmacyLeaf;
/** Null or an empty string: unknown. */
type Unknown<T> = { [K in keyof T]: T[K] | null | "" };

/** Removes unknown properties. */
const known = <T extends object>(entry: Unknown<T>): T =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== undefined && value !== "")) as T;

const address = (at: { street?: string | null; city: string; state: string; pinCode?: string | null }): PostalAddress =>
  known<Exclude<PostalAddress, string>>({
    "@type": "PostalAddress",
    streetAddress: at.street,
    addressLocality: at.city,
    addressRegion: at.state,
    postalCode: at.pinCode,
    addressCountry: "IN",
  });
const rated = (rating: Rating): AggregateRating | null =>
  rating && { "@type": "AggregateRating", ratingValue: rating.average, reviewCount: rating.count, bestRating: 5, worstRating: 1 };

const KINDS = {
  Hospital: "Hospital",
  Clinic: "MedicalClinic",
  Dental: "Dentist",
  Laboratory: "DiagnosticLab",
  Vaccination: "MedicalClinic",
  Ayurvedic: "MedicalClinic",
  Pharmacy: "Pharmacy",
} as const satisfies Record<HospitalCategory, Place["@type"]>;

/** schema.org's specialties. It has none for Ayurveda and Homeopathy. */
const SPECIALTY_VALUES: Record<Specialty, Extract<MedicalSpecialty, `https:${string}`> | null> = {
  General: "https://schema.org/PrimaryCare",
  Cardiology: "https://schema.org/Cardiovascular",
  Dentistry: "https://schema.org/Dentistry",
  Pulmonary: "https://schema.org/Pulmonary",
  Neurology: "https://schema.org/Neurologic",
  Gastroen: "https://schema.org/Gastroenterologic",
  Laboratory: "https://schema.org/LaboratoryScience",
  Vaccination: "https://schema.org/PublicHealth",
  Anesthesiology: "https://schema.org/Anesthesia",
  Ayurveda: null,
  "Cardiothoracic Surgery": "https://schema.org/Surgical",
  Dermatology: "https://schema.org/Dermatology",
  Diabetology: "https://schema.org/Endocrine",
  "Emergency Medicine": "https://schema.org/Emergency",
  Endocrinology: "https://schema.org/Endocrine",
  ENT: "https://schema.org/Otolaryngologic",
  "Family Medicine": "https://schema.org/PrimaryCare",
  "General Surgery": "https://schema.org/Surgical",
  Geriatrics: "https://schema.org/Geriatric",
  "Gynecology and Obstetrics": "https://schema.org/Gynecologic",
  Hematology: "https://schema.org/Hematologic",
  Homeopathy: null,
  "Infectious Diseases": "https://schema.org/Infectious",
  Nephrology: "https://schema.org/Renal",
  Neurosurgery: "https://schema.org/Surgical",
  "Nutrition and Dietetics": "https://schema.org/DietNutrition",
  Oncology: "https://schema.org/Oncologic",
  Ophthalmology: "https://schema.org/Ophthalmology",
  Orthopedics: "https://schema.org/Musculoskeletal",
  "Pediatric Surgery": "https://schema.org/Pediatric",
  Pediatrics: "https://schema.org/Pediatric",
  Physiotherapy: "https://schema.org/Physiotherapy",
  "Plastic Surgery": "https://schema.org/PlasticSurgery",
  Psychiatry: "https://schema.org/Psychiatric",
  Psychology: "https://schema.org/Psychiatric",
  Radiology: "https://schema.org/Radiography",
  Rheumatology: "https://schema.org/Rheumatologic",
  Urology: "https://schema.org/Urologic",
};

export type HospitalEntry = {
  name: string;
  kind: HospitalCategory;
  about: string;
  address: string;
  city: string;
  state: string;
  pinCode: string | null;
  phone: string | null;
  email: string | null;
  latitude: number | null;
  longitude: number | null;
  specialties: string[];
  rating: Rating;
};

/**
 * Describes a hospital, clinic, laboratory or pharmacy. A `DiagnosticLab` is an organization without a place in schema.org,
 * so it takes no `geo`.
 * @param url the whole address of its public page
 */
export function hospitalEntry(hospital: HospitalEntry, url: string): Place {
  const { latitude, longitude } = hospital;
  const type = KINDS[hospital.kind];
  const about: Unknown<Omit<DiagnosticLabLeaf, "@type">> = {
    "@id": url,
    url,
    name: hospital.name,
    description: hospital.about,
    telephone: hospital.phone,
    email: hospital.email,
    address: address({ ...hospital, street: hospital.address }),
    knowsAbout: hospital.specialties.length ? hospital.specialties : null,
    aggregateRating: rated(hospital.rating),
  };
  if (type === "DiagnosticLab") return known<DiagnosticLabLeaf>({ "@type": type, ...about });
  const geo = latitude === null || longitude === null ? null : ({ "@type": "GeoCoordinates", latitude, longitude } as const);
  return known<Exclude<Place, DiagnosticLabLeaf>>({ "@type": type, ...about, geo } as Unknown<Exclude<Place, DiagnosticLabLeaf>>);
}

export type DoctorEntry = {
  name: string;
  specialization: string;
  about: string;
  city: string;
  state: string;
  languages: string[];
  rating: Rating;
  hospitalName: string | null;
  hospitalPhone: string | null;
};

/**
 * Describes a doctor.
 * @param url the whole address of the doctor's public page
 * @param image the whole address of a picture
 */
export const doctorEntry = (doctor: DoctorEntry, url: string, image: string | null): PhysicianLeaf =>
  known<PhysicianLeaf>({
    "@type": "Physician",
    "@id": url,
    url,
    name: doctor.name,
    description: doctor.about || doctor.specialization,
    image,
    medicalSpecialty: SPECIALTY_VALUES[doctor.specialization as Specialty] ?? null,
    telephone: doctor.hospitalPhone,
    address: address(doctor),
    knowsLanguage: doctor.languages.length ? doctor.languages : null,
    hospitalAffiliation: doctor.hospitalName ? { "@type": "Hospital", name: doctor.hospitalName } : null,
    aggregateRating: rated(doctor.rating),
  });
