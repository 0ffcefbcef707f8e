import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import type { VisitDocumentKind, VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { CertificateContent, CertificateType } from "./content.ts";

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

const OPEN: Record<VisitDocumentKind, (of: { date: string }) => string> = {
  prescription: (of) => m.visit_yours_open(of),
  certificate: (of) => m.certificate_open(of),
  order: (of) => m.order_open(of),
};
/** Returns the link to a signed document: "Open prescription of 21 Nov 2026". */
export function documentWord({ kind, state, signedAt }: { kind: VisitDocumentKind; state: VisitDocumentState; signedAt: Date }): string {
  const date = formatDate(todayInIndia(signedAt));
  const text = OPEN[kind]({ date });
  if (state === "signed") return text;
  return `${text} (${(state === "cancelled" ? m.visit_state_cancelled() : m.visit_state_superseded()).toLowerCase()})`;
}
