import type { Role } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";

/**
 * The states of an appointment (spec 000 §4), used by pages (a button shows only when its action is allowed), by commands and by
 * the test of every status × action × role.
 */
export const APPOINTMENT_ACTIONS = {
  accept: { from: ["pending"], to: "accepted", by: ["doctor"] },
  complete: { from: ["accepted"], to: "completed", by: ["doctor"] },
  /** Within ten minutes (visit-time.ts). */
  "undo-complete": { from: ["completed"], to: "accepted", by: ["doctor"] },
  /** An administrator cancels visits of suspended doctors (suspended-visits.server.ts); otherwise for the side that asked (oversight/visits). A job cancels what is not paid in time (cancel-unpaid.server.ts). */
  cancel: { from: ["pending", "accepted"], to: "cancelled", by: ["doctor", "patient", "admin"] },
  /** Another free slot of the same doctor, who has to accept again. */
  reschedule: { from: ["pending", "accepted"], to: "pending", by: ["patient"] },
  /** Another free time, chosen by the doctor. The patient may then cancel until the start. */
  move: { from: ["pending", "accepted"], to: "accepted", by: ["doctor"] },
  /** The time that the doctor proposed (booking/appointments/proposal.state.ts). The doctor does not have to accept again. */
  "take-proposal": { from: ["pending", "accepted"], to: "accepted", by: ["patient"] },
} as const satisfies Record<string, { from: readonly AppointmentStatus[]; to: AppointmentStatus; by: readonly Role[] }>;

export type AppointmentAction = keyof typeof APPOINTMENT_ACTIONS;
export const isAppointmentAction = (text: string): text is AppointmentAction => Object.hasOwn(APPOINTMENT_ACTIONS, text);

/** Returns true if this role may take the action on an appointment in this status. */
export const canDo = (action: AppointmentAction, status: AppointmentStatus, role: Role): boolean =>
  allows(APPOINTMENT_ACTIONS[action], status, role);

/**
 * Open visits are expected to take place. Closed ones are completed or cancelled. The SQL form is openVisit
 * (visit-time.server.ts).
 */
export const OPEN_STATUSES: readonly AppointmentStatus[] = APPOINTMENT_ACTIONS.cancel.from;
export const isOpen = (visit: { status: AppointmentStatus }): boolean => OPEN_STATUSES.includes(visit.status);
