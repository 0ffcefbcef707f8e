/** What a booking form offers. Apart from the schema, so that a page which shows them does not bring zod to the browser. */
import type { BookingDraftRecord } from "#app/db/schema/index.ts";

export const MAX_RECORDS = 8;
/** A paper of the draft, with what its file is called and weighs. */
export type DraftRecord = BookingDraftRecord & { name: string; byteSize: number };
/** Spec 001 §5. */
export const DEFAULT_REASON = "Routine Checkup";
