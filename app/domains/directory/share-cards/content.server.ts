import { createHash } from "node:crypto";
import { hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import type { Rating } from "#app/domains/directory/rating.ts";
import { language } from "#app/lib/language.ts";
import { formatRupees } from "#app/lib/money.ts";
import type { HospitalCategory } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { specialtyWord } from "../doctors/names.ts";

/** Texts of a card. */
export type CardContent = {
  kind: "doctor" | "hospital" | "nadi";
  title: string;
  lines: string[];
  /** Average and number of reviews; null for none. */
  rating: { average: string; reviews: string } | null;
  facts: string[];
  /** File id of a doctor's photo. */
  photo: string | null;
};

/** Increase it when cards are drawn differently, so that clients fetch them again. */
const DESIGN = 1;

const rated = (rating: Rating): CardContent["rating"] =>
  rating && {
    average: rating.average.toFixed(1),
    reviews: rating.count === 1 ? m.directory_review() : m.directory_reviews({ count: rating.count }),
  };

type ListedDoctor = {
  id: string;
  name: string;
  specialization: string;
  city: string;
  fee: number | null;
  rating: Rating;
  photo: string | null;
};
export const doctorContent = (doctor: ListedDoctor): CardContent => ({
  kind: "doctor",
  title: doctor.name,
  lines: [specialtyWord(doctor.specialization), doctor.city],
  rating: rated(doctor.rating),
  facts: [m.doctors_verified(), ...(doctor.fee === null ? [] : [m.appointments_fee_of({ fee: formatRupees(doctor.fee) })])],
  photo: doctor.photo,
});

type ListedHospital = { id: string; name: string; kind: HospitalCategory; city: string; rating: Rating };
export const hospitalContent = (hospital: ListedHospital): CardContent => ({
  kind: "hospital",
  title: hospital.name,
  lines: [hospitalKindWord(hospital.kind), hospital.city],
  rating: rated(hospital.rating),
  facts: [],
  photo: null,
});

/** Returns the card of pages without a doctor or hospital. */
export const siteContent = (): CardContent => ({
  kind: "nadi",
  title: m.common_tagline(),
  lines: [m.doctors_list_description()],
  rating: null,
  facts: [],
  photo: null,
});

/** Returns a version that changes with the text, photo, rating or fee. */
export const versionOf = (content: CardContent): string =>
  createHash("sha256")
    .update(JSON.stringify([DESIGN, content]))
    .digest("hex")
    .slice(0, 8);

/** Returns the path of the card in the language of this request. */
const pathOf = (id: string, content: CardContent) => `/cards/${content.kind}/${id}?lang=${language()}&v=${versionOf(content)}`;

export const doctorCardPath = (doctor: ListedDoctor) => pathOf(doctor.id, doctorContent(doctor));
export const hospitalCardPath = (hospital: ListedHospital) => pathOf(hospital.id, hospitalContent(hospital));
