import type { AppointmentStatus, Gender, RecordType } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

/** The words of the room, made in the reader's language at the moment they are shown. */
const STATUS: Record<AppointmentStatus, () => string> = {
  pending: () => m.appointments_status_pending(),
  accepted: () => m.appointments_status_accepted(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};
export const statusWord = (status: AppointmentStatus) => STATUS[status]();

const GENDER: Record<Gender, () => string> = {
  male: () => m.common_gender_male(),
  female: () => m.common_gender_female(),
  other: () => m.common_gender_other(),
};
export const genderWord = (gender: Gender) => GENDER[gender]();

const RECORD: Record<RecordType, () => string> = {
  prescription: () => m.appointments_record_prescription(),
  ct_scan: () => m.appointments_record_ct_scan(),
  xray: () => m.appointments_record_xray(),
  other: () => m.appointments_record_other(),
};
export const recordTypeWord = (type: RecordType) => RECORD[type]();
