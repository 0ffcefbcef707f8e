import type { DateKey } from "#app/lib/dates.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import type { CertificateType } from "../documents/content.ts";

/** A medicine in a list: name and strength, and how it is taken. */
type ShownMedicine = { name: string; strength: string; dose: string };
/** A signed certificate of a visit. */
export type ShownCertificate = {
  documentId: string;
  state: VisitDocumentState;
  type: CertificateType;
  from: DateKey;
  until: DateKey | null;
};
/** A signed prescription of the doctor, for the visit page. */
export type ShownVisit = {
  visitId: string;
  documentId: string;
  state: VisitDocumentState;
  date: DateKey;
  complaint: string;
  findings: string;
  diagnosis: string;
  /** Why it was signed despite a written allergy; "" otherwise. */
  signedAnyway: string;
  medicines: ShownMedicine[];
};
