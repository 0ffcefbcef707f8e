import type { DOCUMENT_DECISIONS, DocumentKind } from "#app/db/schema/index.ts";
import type { SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const STATUS: Record<RegistrationStatus, () => string> = {
  draft: () => m.cases_status_draft(),
  "under review by hospital": () => m.cases_status_hospital(),
  "pending admin approval": () => m.cases_status_admin(),
  verified: () => m.cases_status_verified(),
  rejected: () => m.cases_status_rejected(),
  suspended: () => m.cases_status_suspended(),
};
export const statusWord = (status: RegistrationStatus) => STATUS[status]();

/** Returns the error for a doctor who is not verified, by status of the application. */
export function unverifiedWord(status: RegistrationStatus): string {
  if (status === "draft") return m.cases_not_submitted();
  if (status === "rejected") return m.cases_was_rejected();
  return status === "suspended" ? m.accounts_verify_suspended() : m.accounts_under_review();
}

const DOCUMENT: Record<DocumentKind, () => string> = {
  profileImage: () => m.cases_document_profile(),
  identityDocument: () => m.cases_document_identity(),
  medicalCouncilCertificate: () => m.cases_document_council(),
  qualificationCertificates: () => m.cases_document_qualification(),
};
export const documentWord = (kind: DocumentKind) => DOCUMENT[kind]();

const DECISION: Record<(typeof DOCUMENT_DECISIONS)[number], () => string> = {
  matches: () => m.cases_matches(),
  "ask-again": () => m.cases_ask_again(),
  undecided: () => m.cases_decision_undecided(),
};
export const decisionWord = (decision: (typeof DOCUMENT_DECISIONS)[number]) => DECISION[decision]();

const NUMBERS: Record<SealedNumber, () => string> = {
  aadhaar: () => m.cases_aadhaar(),
  pan: () => m.cases_pan(),
  account: () => m.cases_account(),
};
export const numberWord = (number: SealedNumber) => NUMBERS[number]();
