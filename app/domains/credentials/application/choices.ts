/** Choices and limits of the application form. Separate from the schema, so that the page does not load zod in the browser. */
import type { DocumentKind } from "#app/db/schema/index.ts";

/** Requested documents in the order of the form. */
export const DOCUMENT_CHOICES = [
  "profileImage",
  "identityDocument",
  "medicalCouncilCertificate",
  "qualificationCertificates",
] as const satisfies readonly DocumentKind[];
export const MAX_QUALIFICATIONS = 10;
export const MAX_LANGUAGES = 20;
