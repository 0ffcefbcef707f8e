/** What the application form offers and how much it takes. Apart from the schema, so that its page brings no zod to the browser. */
import type { DocumentKind } from "#app/db/schema/index.ts";

/** The documents that are asked for, in the order of the form. */
export const DOCUMENT_CHOICES = [
  "profileImage",
  "identityDocument",
  "medicalCouncilCertificate",
  "qualificationCertificates",
] as const satisfies readonly DocumentKind[];
export const MAX_QUALIFICATIONS = 10;
export const MAX_LANGUAGES = 20;
/** Of the other kinds one counts. */
export const MAX_CERTIFICATES = 10;
