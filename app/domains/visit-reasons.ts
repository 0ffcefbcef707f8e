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
