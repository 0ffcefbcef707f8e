import { leadsFrom } from "#app/lib/state-table.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";

type By = "reception" | "doctor" | "patient" | "system";

/**
 * The states of an entry, used by pages, commands and the test of every state × action. An entry begins as `expected` (booked) or
 * `arrived`. `system`: the sweep, or a change of the appointment.
 */
export const QUEUE_ENTRY_ACTIONS = {
  arrive: { from: ["expected"], to: "arrived", by: ["reception", "doctor", "patient"] },
  call: { from: ["arrived"], to: "called", by: ["reception", "doctor"] },
  /** "Next patient" was pressed too early: back to the place before the call. */
  "undo-call": { from: ["called"], to: "arrived", by: ["reception", "doctor"] },
  enter: { from: ["called"], to: "with-doctor", by: ["reception", "doctor"] },
  finish: { from: ["with-doctor"], to: "done", by: ["reception", "doctor", "system"] },
  skip: { from: ["called"], to: "skipped", by: ["reception", "doctor"] },
  /** Comes back, or was marked by mistake. Called after two others. */
  return: { from: ["skipped", "left", "no-show", "unseen", "lapsed"], to: "arrived", by: ["reception", "doctor", "patient"] },
  /** Marked as done by mistake, or by calling the next patient too early. Not once the appointment is completed. */
  "undo-finish": { from: ["done"], to: "arrived", by: ["reception", "doctor"] },
  /** The call of the next patient ended this visit too early: the patient is inside again. */
  "return-inside": { from: ["done"], to: "with-doctor", by: ["reception", "doctor"] },
  leave: { from: ["expected", "arrived", "called", "skipped"], to: "left", by: ["reception", "doctor", "patient", "system"] },
  /** At close. Sets `appointments.no_show_at`. */
  miss: { from: ["expected"], to: "no-show", by: ["reception", "doctor", "system"] },
  /** The clinic closed before the turn of this patient. An appointment is cancelled by the clinic (booking/appointments/close-queue.server.ts). */
  unseen: { from: ["expected", "arrived", "skipped"], to: "unseen", by: ["reception", "doctor"] },
  /** Nobody opened or closed the session on its day: what happened to the patient is not known. The appointment stays as it is. */
  lapse: { from: ["expected", "arrived", "skipped"], to: "lapsed", by: ["system"] },
  /** The session is opened after all. A patient who had arrived returns instead. */
  "undo-lapse": { from: ["lapsed"], to: "expected", by: ["reception", "doctor"] },
  /** The patient came after all. Clears `appointments.no_show_at`. */
  "undo-miss": { from: ["no-show"], to: "done", by: ["doctor"] },
  /** The doctor completed the appointment or signed without the queue. Reception lets a patient leave whose prescription is signed. */
  complete: { from: ["expected", "arrived", "called", "with-doctor", "skipped"], to: "done", by: ["doctor", "reception"] },
} as const satisfies Record<string, { from: readonly QueueEntryState[]; to: QueueEntryState; by: readonly By[] }>;

export type QueueEntryAction = keyof typeof QUEUE_ENTRY_ACTIONS;

/** Returns true if the action is allowed in this state. */
export const canEntry = (action: QueueEntryAction, state: QueueEntryState): boolean => leadsFrom(QUEUE_ENTRY_ACTIONS[action], state);

/** Entries that still take part in their session. The partial indexes of `queue_entries` have the same list. */
export const LIVE_STATES = ["expected", "arrived", "called", "with-doctor", "skipped"] as const satisfies readonly QueueEntryState[];
