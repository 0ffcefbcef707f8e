/**
 * What the product tells people. A row keeps `kind` and `params`; the words are made when it is read, in the reader's
 * language. `type` decides the style (spec 000 §3).
 */
export const NOTIFICATION_KINDS = {
  "appointment-booked": { type: "info" },
  "appointment-accepted": { type: "success" },
  "appointment-completed": { type: "success" },
  "appointment-cancelled": { type: "danger" },
  "appointment-rescheduled": { type: "warning" },
} as const satisfies Record<string, { type: "success" | "warning" | "danger" | "info" }>;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
/** `date` is yyyy-mm-dd and `time` HH:mm: they are written out when read. */
export type NotificationParams = { doctor: string; patient: string; date: string; time: string };
