import { m } from "#app/paraglide/messages.js";

/** Why visits of a suspended doctor change. Patients read the sentence in their own language. */
export const VISIT_REASONS = ["doctor-away", "doctor-left", "hospital-asked"] as const;
export type VisitReason = (typeof VISIT_REASONS)[number];
export const isVisitReason = (text: string): text is VisitReason => (VISIT_REASONS as readonly string[]).includes(text);

const VISIT_REASON: Record<VisitReason, () => string> = {
  "doctor-away": () => m.appointments_why_away(),
  "doctor-left": () => m.appointments_why_left(),
  "hospital-asked": () => m.appointments_why_hospital(),
};
/** Returns the sentence to the patient: why the visit of a suspended doctor changes. */
export const visitReasonWord = (reason: VisitReason): string => VISIT_REASON[reason]();

/** Why a doctor cancels. */
export const CANCEL_REASONS = ["busy", "unwell", "emergency", "holiday", "training", "other-specialist"] as const;
/** Most characters of the doctor's own message to the patient. */
export const CANCEL_NOTE = 300;
/** Why the clinic cancels the appointments of a queue that it closed before their turn. Not a choice of a form. */
export const CLOSED_EARLY = "closed-early";
export type CancelReason = (typeof CANCEL_REASONS)[number];

const CANCEL_REASON: Record<CancelReason, { choice: () => string; sentence: () => string; sms: () => string }> = {
  busy: {
    choice: () => m.appointments_why_busy_choice(),
    sentence: () => m.appointments_why_busy(),
    sms: () => m.notifications_sms_why_busy(),
  },
  unwell: {
    choice: () => m.appointments_why_unwell_choice(),
    sentence: () => m.appointments_why_unwell(),
    sms: () => m.notifications_sms_why_unwell(),
  },
  emergency: {
    choice: () => m.appointments_why_emergency_choice(),
    sentence: () => m.appointments_why_emergency(),
    sms: () => m.notifications_sms_why_emergency(),
  },
  holiday: {
    choice: () => m.appointments_why_holiday_choice(),
    sentence: () => m.appointments_why_holiday(),
    sms: () => m.notifications_sms_why_holiday(),
  },
  training: {
    choice: () => m.appointments_why_training_choice(),
    sentence: () => m.appointments_why_training(),
    sms: () => m.notifications_sms_why_training(),
  },
  "other-specialist": {
    choice: () => m.appointments_why_other_choice(),
    sentence: () => m.appointments_why_other(),
    sms: () => m.notifications_sms_why_other(),
  },
};
const VISIT_REASON_SMS: Record<VisitReason, () => string> = {
  "doctor-away": () => m.notifications_sms_why_away(),
  "doctor-left": () => m.notifications_sms_why_left(),
  "hospital-asked": () => m.notifications_sms_why_hospital(),
};
const isCancelReason = (code: string): code is CancelReason => (CANCEL_REASONS as readonly string[]).includes(code);
/** Returns a reason as the doctor chooses it. */
export const cancelChoiceWord = (reason: CancelReason): string => CANCEL_REASON[reason].choice();
/** Returns why an appointment was cancelled, as a sentence to the patient. Empty without a known reason. */
export const cancelReasonWord = (code: string | null | undefined): string =>
  !code
    ? ""
    : code === CLOSED_EARLY
      ? m.appointments_why_closed_early()
      : isCancelReason(code)
        ? CANCEL_REASON[code].sentence()
        : isVisitReason(code)
          ? visitReasonWord(code)
          : "";
/** Returns the same in at most 30 characters (Telugu 22, Hindi 26). The SMS template needs a reason: without one, that the doctor is not available. */
export const cancelReasonSms = (code: string | null | undefined): string =>
  code && isCancelReason(code) ? CANCEL_REASON[code].sms() : VISIT_REASON_SMS[code && isVisitReason(code) ? code : "doctor-away"]();
