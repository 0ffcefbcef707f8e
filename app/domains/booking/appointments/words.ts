import type { AppointmentStatus } from "#app/db/schema/index.ts";
import type { AppointmentAction } from "#app/domains/appointment.state.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import type { RecordType } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { DEFAULT_REASON } from "./choices.ts";

/** The words of the room, made in the reader's language at the moment they are shown. */
const STATUS: Record<AppointmentStatus, () => string> = {
  pending: () => m.appointments_status_pending(),
  accepted: () => m.appointments_status_accepted(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};
export const statusWord = (status: AppointmentStatus) => STATUS[status]();
/** Says why an appointment in this status refuses an action. */
export const wrongStateWord = (action: AppointmentAction, status: AppointmentStatus): string =>
  action === "complete" && status === "pending"
    ? m.appointments_accept_first()
    : m.appointments_wrong_state({ status: statusWord(status).toLowerCase() });

/** Says why the clock refuses to complete a visit or to undo it. */
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

/** What is stored in the product's words rather than the patient's is said in the reader's language. */
export const reasonWord = (reason: string) => (reason === DEFAULT_REASON ? m.appointments_reason_default() : reason);
