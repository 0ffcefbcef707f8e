import { href } from "react-router";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { CATEGORIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import type { EnquiryDoctors } from "../answer-enquiry.ts";

/** The page with the doctors of an enquiry. */
export const doctorsPath = (doctors: EnquiryDoctors): string =>
  "category" in doctors
    ? `${href("/patient-dashboard")}?category=${doctors.category}`
    : `${href("/doctorspages/Cards-data")}?${new URLSearchParams({ specialty: doctors.specialty, sort: "distance" })}`;

const SOS = href("/patient/emergency-contact");
/** The SOS page after an enquiry whose words speak of danger. It states that, and links the doctors. */
export const sosPath = (doctors: EnquiryDoctors | null): string =>
  `${SOS}?${new URLSearchParams({ enquiry: doctors ? ("category" in doctors ? doctors.category : doctors.specialty) : "other" })}`;

export type EnquiryOnSos = { path: string; kind: string | null };
/** Reads the address of `sosPath`: the doctors that the page links. Returns null without an enquiry. */
export function readEnquiry(asked: string | null): EnquiryOnSos | null {
  if (!asked) return null;
  const category = CATEGORIES.find((one) => one === asked);
  if (category) return { path: doctorsPath({ category }), kind: specialtyWord(category) };
  const specialty = SPECIALTY_CHIPS.find((one) => one === asked);
  if (specialty) return { path: doctorsPath({ specialty }), kind: specialtyWord(specialty) };
  return { path: href("/doctorspages/Cards-data"), kind: null };
}
