/** Doctors and hospitals as schema.org describes them. */
import type { HospitalCategory } from "#app/db/schema/index.ts";
import type { Rating } from "./rating.ts";

type Entry = Record<string, unknown>;
/** Without what is not known. */
const known = (entry: Entry): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== undefined && value !== ""));

const address = (at: { street?: string | null; city: string; state: string; pinCode?: string | null }): Entry =>
  known({
    "@type": "PostalAddress",
    streetAddress: at.street,
    addressLocality: at.city,
    addressRegion: at.state,
    postalCode: at.pinCode,
    addressCountry: "IN",
  });
const rated = (rating: Rating): Entry | null =>
  rating && { "@type": "AggregateRating", ratingValue: rating.average, reviewCount: rating.count, bestRating: 5, worstRating: 1 };

const KINDS: Record<HospitalCategory, string> = {
  Hospital: "Hospital",
  Clinic: "MedicalClinic",
  Dental: "Dentist",
  Laboratory: "DiagnosticLab",
  Vaccination: "MedicalClinic",
  Ayurvedic: "MedicalClinic",
  Pharmacy: "Pharmacy",
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
export const hospitalEntry = (hospital: HospitalEntry, url: string): Entry =>
  known({
    "@type": KINDS[hospital.kind],
    "@id": url,
    url,
    name: hospital.name,
    description: hospital.about,
    telephone: hospital.phone,
    email: hospital.email,
    address: address({ ...hospital, street: hospital.address }),
    geo:
      hospital.latitude === null || hospital.longitude === null
        ? null
        : { "@type": "GeoCoordinates", latitude: hospital.latitude, longitude: hospital.longitude },
    knowsAbout: hospital.specialties.length ? hospital.specialties : null,
    aggregateRating: rated(hospital.rating),
  });

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
export const doctorEntry = (doctor: DoctorEntry, url: string, image: string | null): Entry =>
  known({
    "@type": "Physician",
    "@id": url,
    url,
    name: doctor.name,
    description: doctor.about || doctor.specialization,
    image,
    medicalSpecialty: doctor.specialization,
    telephone: doctor.hospitalPhone,
    address: address(doctor),
    knowsLanguage: doctor.languages.length ? doctor.languages : null,
    hospitalAffiliation: doctor.hospitalName && { "@type": "Hospital", name: doctor.hospitalName },
    aggregateRating: rated(doctor.rating),
  });
