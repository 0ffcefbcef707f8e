import type { VisitDocumentState } from "#app/lib/vocabulary.ts";

/** The states of a prescription, certificate or order of tests. It begins as `draft`. Only the doctor of the visit acts. */
export const VISIT_DOCUMENT_ACTIONS = {
  sign: { from: ["draft"], to: "signed", by: ["doctor"] },
  discard: { from: ["draft"], to: "discarded", by: ["doctor", "patient"] },
  /** A correction was signed. */
  supersede: { from: ["signed"], to: "superseded", by: ["doctor"] },
  cancel: { from: ["signed"], to: "cancelled", by: ["doctor"] },
} as const satisfies Record<string, { from: readonly VisitDocumentState[]; to: VisitDocumentState; by: readonly ("doctor" | "patient")[] }>;
