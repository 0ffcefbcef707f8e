import type { AppointmentStatus, RecordType } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

/** The words of the room, made in the reader's language at the moment they are shown. */
const STATUS: Record<AppointmentStatus, () => string> = {
  pending: () => m.appointments_status_pending(),
  accepted: () => m.appointments_status_accepted(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};
export const statusWord = (status: AppointmentStatus) => STATUS[status]();

const RECORD: Record<RecordType, () => string> = {
  prescription: () => m.appointments_record_prescription(),
  ct_scan: () => m.appointments_record_ct_scan(),
  xray: () => m.appointments_record_xray(),
  other: () => m.appointments_record_other(),
};
export const recordTypeWord = (type: RecordType) => RECORD[type]();
