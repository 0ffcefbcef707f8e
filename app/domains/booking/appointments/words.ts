import type { AppointmentAction } from "#app/domains/appointment.state.ts";
import { CHANGE_HOURS, cancelDeadline, isCancellable, isReschedulable, type Minute, rescheduleDeadline } from "#app/domains/visit-time.ts";
import { formatDay, formatDayShort, formatTime } from "#app/lib/dates.ts";
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

type Changes = {
  status: AppointmentStatus;
  movable: boolean;
  cancellable: boolean;
  /** The last minute to reschedule; null: it has passed. */
  deadline: Minute | null;
  /** The last minute to cancel once the doctor has accepted, and to get everything back; null: it has passed. */
  cancelBy: Minute | null;
  /** Its time has come: of a token, the start of its session. */
  begun: boolean;
  token?: number | null;
  refundHours: number;
};
const minuteWord = ({ date, time }: Minute) => `${formatDayShort(date)}, ${formatTime(time)}`;

/** Returns until when a patient can reschedule and cancel an open appointment here, or why no longer. */
export function changeRuleWord({ movable, cancellable, deadline, cancelBy, ...visit }: Omit<Changes, "status">): string {
  if (!cancellable) return tooLateToCancel(visit);
  const cancel = cancelBy && minuteWord(cancelBy);
  if (movable && deadline && cancel) {
    const move = minuteWord(deadline);
    return move === cancel ? m.appointments_change_until({ when: move }) : m.appointments_change_until_each({ move, cancel });
  }
  return cancel ? m.appointments_cancel_until({ when: cancel }) : m.appointments_move_too_late();
}

/** Returns until when patients can change an appointment whose time is not chosen yet. `refundHours`: of the clinic's policy. */
export function changeRuleInHours(refundHours: number): string {
  if (refundHours >= CHANGE_HOURS) return m.appointments_change_rule();
  return refundHours > 0 ? m.appointments_change_rule_hours({ hours: refundHours }) : m.appointments_change_rule_begins();
}

/** Returns until when a patient who books this time now will be able to change it. */
export function changeRuleAtBooking(now: Date, slot: Minute & { refundHours: number }): string {
  const accepted = { ...slot, status: "accepted", doctorDelisted: false, movedByDoctor: false } as const;
  const isInTime = isCancellable(now, accepted);
  if (!isInTime) return m.appointments_change_soon();
  return changeRuleWord({
    movable: isReschedulable(now, accepted),
    cancellable: true,
    deadline: rescheduleDeadline(now, slot),
    cancelBy: cancelDeadline(accepted),
    begun: false,
    refundHours: slot.refundHours,
  });
}

/** Returns why a patient can no longer cancel an open appointment here. */
export const tooLateToCancel = ({ begun, token, refundHours }: Pick<Changes, "begun" | "token" | "refundHours">) =>
  begun
    ? token
      ? m.appointments_cancel_session()
      : m.appointments_cancel_begun()
    : m.appointments_cancel_too_late({ hours: Math.min(refundHours, CHANGE_HOURS) });

/** Returns why the clock refuses a patient's change. What can no longer be moved can often still be cancelled. */
export const tooLateWord = (action: AppointmentAction, visit: Pick<Changes, "status" | "begun" | "token" | "refundHours">): string => {
  if (action !== "reschedule" || visit.begun || (visit.status !== "pending" && visit.refundHours >= CHANGE_HOURS))
    return tooLateToCancel(visit);
  return visit.status === "pending" ? m.appointments_move_too_late() : m.appointments_move_over();
};

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
