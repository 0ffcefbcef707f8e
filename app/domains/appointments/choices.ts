/** What a booking form offers. Apart from the schema, so that a page which shows them does not bring zod to the browser. */
import type { BookingDraftRecord } from "#app/db/schema/index.ts";

export const MAX_RECORDS = 8;
/** A paper of the draft, with what its file is called and weighs. */
export type DraftRecord = BookingDraftRecord & { name: string; byteSize: number };
/** Spec 001 §5. */
export const DEFAULT_REASON = "Routine Checkup";
/** Stored in place of the name of a patient whose account is deleted; `patientNameWord` says it. */
export const DELETED_NAME = "Deleted account";

/** Why visits of a suspended doctor change. The patient reads the sentence in their own language. */
export const VISIT_REASONS = ["doctor-away", "doctor-left", "hospital-asked"] as const;
export type VisitReason = (typeof VISIT_REASONS)[number];
export const isVisitReason = (text: string): text is VisitReason => (VISIT_REASONS as readonly string[]).includes(text);
