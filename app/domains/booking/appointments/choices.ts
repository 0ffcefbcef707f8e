/** Choices of the booking form. Separate from the schema, so that pages which show them do not load zod in the browser. */
import type { BookingDraftRecord } from "#app/db/schema/index.ts";

/** A document of the draft with the name and size of its file. */
export type DraftRecord = BookingDraftRecord & { name: string; byteSize: number };
/** Spec 001 §5. */
export const DEFAULT_REASON = "Routine Checkup";
/** The reason of an appointment whose booking asked for none. Pages show that it is not specified. */
export const NO_REASON = "";

/** Returns the value of the booking form's button for another time; without `slot`: to choose it in the calendar. */
export const otherTimeIntent = (slot?: { date: string; time: string }) => `at:${slot ? `${slot.date} ${slot.time}` : ""}`;

/** Why the acting patient cannot book a slot: they have booked it already (`own`: the appointment), or a message with the nearest free slots. */
export type SlotProblem = { own: string } | { own: null; sentence: string; nearest: { date: string; time: string }[] };
