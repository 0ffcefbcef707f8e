import type { AppointmentAction } from "#app/domains/appointment.state.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import type { AppointmentStatus, RecordType } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { DEFAULT_REASON } from "./choices.ts";

/** Texts of the module. Functions, because the language is that of the reader. */
const STATUS: Record<AppointmentStatus, () => string> = {
  pending: () => m.appointments_status_pending(),
  accepted: () => m.appointments_status_accepted(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};
export const statusWord = (status: AppointmentStatus) => STATUS[status]();
/** Returns the error for an action that this status refuses. */
export const wrongStateWord = (action: AppointmentAction, status: AppointmentStatus): string =>
  action === "complete" && status === "pending"
    ? m.appointments_accept_first()
    : m.appointments_wrong_state({ status: statusWord(status).toLowerCase() });

/** Returns why the 24-hour rule refuses a patient's change. A pending request can still be cancelled until its start. */
export const tooLateWord = (action: AppointmentAction, status: AppointmentStatus): string =>
  action === "reschedule" && status === "pending" ? m.appointments_move_too_late() : m.appointments_cancel_too_late();

/** Returns the error for completing a visit, or undoing it, at a wrong time. */
export const notInTime = (visit: { date: string; time: string }, action: AppointmentAction): string =>
  action === "undo-complete"
    ? m.appointments_undo_too_late()
    : m.appointments_complete_opens({ day: formatDay(visit.date), time: formatTime(visit.time) });

const RECORD: Record<RecordType, () => string> = {
  prescription: () => m.appointments_record_prescription(),
  ct_scan: () => m.appointments_record_ct_scan(),
  xray: () => m.appointments_record_xray(),
  other: () => m.appointments_record_other(),
};
export const recordTypeWord = (type: RecordType) => RECORD[type]();

/** Translates the default reason. Other reasons are the patient's own text. */
export const reasonWord = (reason: string) => (reason === DEFAULT_REASON ? m.appointments_reason_default() : reason);
