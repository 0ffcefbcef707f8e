import type { SignedAnyway } from "#app/db/schema/index.ts";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { ageAt } from "#app/lib/age.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import type { VisitDocumentKind, VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { CertificateContent, CertificateType, OrderContent, SignedContent } from "./content.ts";

const CERTIFICATES: Record<CertificateType, () => string> = {
  "sick-leave": () => m.rx_certificate_sick_leave(),
  fitness: () => m.rx_certificate_fitness(),
};
/** Returns the title of a certificate. */
export const certificateWord = (type: CertificateType): string => CERTIFICATES[type]();

/** Returns the sentence of a certificate in the language of the page. */
export function certificateText({
  type,
  patient: { name },
  from,
  until,
}: Pick<CertificateContent, "type" | "patient" | "from" | "until">): string {
  if (type === "fitness") return m.rx_fitness_text({ name, from: formatDate(from) });
  return m.rx_sick_leave_text({ name, from: formatDate(from), until: formatDate(until ?? from) });
}

/** "7 months, female": age and sex on the day of a signed document. */
export const signedPatientWord = ({ patient: { age, birthDate, gender }, date }: Pick<SignedContent, "patient" | "date">): string =>
  ageAndSexWord(ageAt(age, birthDate, date), gender);

/** What the doctor reads before signing. `seen`: the same in one line, sent back with the signature. */
export type SignPreview = { title: string; words: string; patient: string; doctor: string; seen: string };

/** Returns what the doctor reads of a document before signing. `lines`: what it says beside its title and words. */
export function signPreview(
  { patient, date, doctor, words }: Pick<CertificateContent | OrderContent, "patient" | "date" | "doctor" | "words">,
  title: string,
  lines: string[],
): SignPreview {
  const named = {
    patient: `${patient.name}, ${signedPatientWord({ patient, date })}`,
    doctor: `${doctor.name}, ${doctor.qualification}, ${doctor.registration}`,
  };
  return { title, words, ...named, seen: [title, ...lines, words, named.patient, named.doctor].join(" | ") };
}

/** Returns why a prescription was signed despite a written allergy: "Amoxicillin 500 mg (allergy: amoxicillin): ruled out by test". */
export const signedAnywayWord = ({ because, of }: SignedAnyway): string =>
  `${of.map(({ allergy, medicine }) => m.visit_signed_anyway_of({ medicine, allergy })).join(", ")}: ${because}`;

/** Returns the word for the state of a document that was signed. */
export function stateWord(state: VisitDocumentState): string {
  if (state === "cancelled") return m.visit_state_cancelled();
  return state === "superseded" ? m.visit_state_superseded() : m.visit_state_signed();
}

const OPEN: Record<VisitDocumentKind, (of: { date: string }) => string> = {
  prescription: (of) => m.visit_yours_open(of),
  certificate: (of) => m.certificate_open(of),
  order: (of) => m.order_open(of),
};
/** Returns the link to a signed document: "Open prescription of 21 Nov 2026". */
export function documentWord({ kind, state, signedAt }: { kind: VisitDocumentKind; state: VisitDocumentState; signedAt: Date }): string {
  const date = formatDate(todayInIndia(signedAt));
  const text = OPEN[kind]({ date });
  return state === "signed" ? text : `${text} (${stateWord(state).toLowerCase()})`;
}
