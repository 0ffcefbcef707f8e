import type { SignedAnyway } from "#app/db/schema/index.ts";
import type { DateKey } from "#app/lib/dates.ts";
import type { Language } from "#app/lib/language.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import type { NoneKnown } from "../allergies/known-allergies.ts";
import type { MedicineLine } from "../medicines/line.ts";

type Signed = {
  /** The form of this content. */
  v: 1;
  id: string;
  code: string;
  visitId: string;
  /** The day of the visit. */
  date: DateKey;
  signedAt: string;
  doctor: { id: string; name: string; qualification: string; council: string; registration: string };
  place: { name: string; address: string; phone: string | null } | null;
  /** `age`: whole years on the day of the visit. `birthDate`: where it is known; never printed. Both give the age that is printed. */
  patient: { name: string; age: number; birthDate?: DateKey; gender: Gender };
  /** The patient's language, beside English. */
  language: Language;
  /** The code of the document that this one corrects. */
  replaces: string | null;
};

/** What is signed of a prescription. */
export type PrescriptionContent = Signed & {
  kind: "prescription";
  allergies: string;
  /** Who wrote that there is no known allergy. Null, or absent in older documents: the patient was not asked yet, or has one. */
  noneKnown?: NoneKnown | null;
  /** A reason to sign despite a written allergy. Never printed. */
  signedAnyway?: SignedAnyway;
  diagnosis: string;
  diagnosisCode: string;
  lines: MedicineLine[];
  advice: string[];
  adviceWords: string;
  followUpOn: DateKey | null;
};

export const CERTIFICATE_TYPES = ["sick-leave", "fitness"] as const;
export type CertificateType = (typeof CERTIFICATE_TYPES)[number];

/** What is signed of a certificate. */
export type CertificateContent = Signed & {
  kind: "certificate";
  type: CertificateType;
  /** Sick leave: the first and the last day. Fitness: from this day. */
  from: DateKey;
  until: DateKey | null;
  words: string;
};

/** What is signed of an order of tests: laboratory tests and pictures such as X-rays, each as the doctor typed it. */
export type OrderContent = Signed & { kind: "order"; tests: string[]; words: string };
export type SignedContent = PrescriptionContent | CertificateContent | OrderContent;

/** "L. P. D.": what a check shows of a name. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((part) => `${[...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(part)][0]?.segment.toUpperCase() ?? ""}.`)
    .join(" ");
