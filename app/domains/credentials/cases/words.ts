import type { DOCUMENT_DECISIONS, DocumentKind, RegistrationStatus } from "#app/db/schema/index.ts";
import type { SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { m } from "#app/paraglide/messages.js";

const STATUS: Record<RegistrationStatus, () => string> = {
  draft: () => m.verification_status_draft(),
  "under review by hospital": () => m.verification_status_hospital(),
  "pending admin approval": () => m.verification_status_admin(),
  verified: () => m.verification_status_verified(),
  rejected: () => m.verification_status_rejected(),
  suspended: () => m.verification_status_suspended(),
};
export const statusWord = (status: RegistrationStatus) => STATUS[status]();

/** Returns the error for a doctor who is not verified, by status of the application. */
export function unverifiedWord(status: RegistrationStatus): string {
  if (status === "draft") return m.verification_not_submitted();
  if (status === "rejected") return m.verification_was_rejected();
  return status === "suspended" ? m.accounts_verify_suspended() : m.accounts_under_review();
}

const DOCUMENT: Record<DocumentKind, () => string> = {
  profileImage: () => m.verification_document_profile(),
  identityDocument: () => m.verification_document_identity(),
  medicalCouncilCertificate: () => m.verification_document_council(),
  qualificationCertificates: () => m.verification_document_qualification(),
};
export const documentWord = (kind: DocumentKind) => DOCUMENT[kind]();

const DECISION: Record<(typeof DOCUMENT_DECISIONS)[number], () => string> = {
  matches: () => m.reviewer_matches(),
  "ask-again": () => m.reviewer_ask_again(),
  undecided: () => m.reviewer_decision_undecided(),
};
export const decisionWord = (decision: (typeof DOCUMENT_DECISIONS)[number]) => DECISION[decision]();

const NUMBERS: Record<SealedNumber, () => string> = {
  aadhaar: () => m.reviewer_aadhaar(),
  pan: () => m.reviewer_pan(),
  account: () => m.reviewer_account(),
};
export const numberWord = (number: SealedNumber) => NUMBERS[number]();
