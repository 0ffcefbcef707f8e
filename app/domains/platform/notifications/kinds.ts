/**
 * Kinds of notifications. A row stores `kind` and `params`; the text is created when it is read, in the reader's language. `type`
 * decides the style (spec 000 §3). `email`: also sent by email. `sms`: also sent by SMS. Both depend on the user's settings.
 * `reminder`: emails and SMS depend on the appointment reminders. `alert`: the SMS states that the password was changed. `always`:
 * sent whatever the settings are, because it decides about the account or protects it, or a visit does not take place.
 * `offer`: sent while the offer is open, the SMS also when the patient asked for it on joining the waitlist.
 * `booked`: the SMS states the day and the time, because its reader may have no account yet.
 * `follow`: a reminder without an appointment: the SMS has only the title.
 * `visit`: the SMS is also sent when the patient asked for it in the booking form. `cancelled`: the SMS states who cancelled and why.
 */
export type NotificationLook = {
  type: "success" | "warning" | "danger" | "info";
  email?: true;
  sms?: true;
  always?: true;
  reminder?: true;
  alert?: true;
  visit?: true;
  cancelled?: true;
  offer?: true;
  booked?: true;
  follow?: true;
  /** The email has the appointment as a calendar message: it adds, moves or cancels the entry. Reminders have none. */
  calendar?: true;
};
export const NOTIFICATION_KINDS = {
  "appointment-booked": { type: "info" },
  "appointment-booked-by-clinic": { type: "info" },
  "appointment-booked-for-you": { type: "success", email: true, sms: true, always: true, booked: true, calendar: true },
  "account-claimed": { type: "info" },
  "appointment-accepted": { type: "success", email: true, sms: true, visit: true, calendar: true },
  "appointment-completed": { type: "success" },
  "appointment-completion-undone": { type: "warning" },
  "appointment-cancelled": { type: "danger" },
  "appointment-cancelled-by-doctor": { type: "danger", email: true, sms: true, always: true, cancelled: true, calendar: true },
  // The queue sends its SMS, to the phone of the token.
  "appointment-queue-closed": { type: "danger", email: true, always: true, cancelled: true, calendar: true },
  "appointment-cancelled-for-you": { type: "danger", email: true, sms: true, always: true, cancelled: true, calendar: true },
  "appointment-unpaid": { type: "danger", email: true, sms: true, always: true, calendar: true },
  "appointment-cancelled-as-asked": { type: "danger", email: true, sms: true, always: true, calendar: true },
  "appointment-choose-again": { type: "warning", email: true, sms: true, always: true },
  "appointment-rescheduled": { type: "warning" },
  "appointment-moved-as-asked": { type: "warning", email: true, sms: true, always: true, calendar: true },
  "appointment-moved": { type: "warning", email: true, sms: true, always: true, calendar: true },
  "appointment-moved-by-clinic": { type: "warning" },
  "time-proposed": { type: "warning", email: true, sms: true, visit: true },
  "time-proposed-away": { type: "warning", email: true, sms: true, always: true },
  "proposal-taken": { type: "success" },
  "proposal-declined": { type: "warning" },
  "appointment-reminder-day": { type: "info", email: true, sms: true, reminder: true, visit: true },
  "appointment-reminder-hours": { type: "info", email: true, sms: true, reminder: true, visit: true },
  "appointment-unanswered": { type: "warning", email: true, reminder: true },
  "doctor-submitted": { type: "info", email: true },
  "doctor-hospital-approved": { type: "success", email: true, sms: true, always: true },
  "doctor-verified": { type: "success", email: true, sms: true, always: true },
  "doctor-rejected": { type: "danger", email: true, sms: true, always: true },
  "doctor-suspended": { type: "danger", email: true, sms: true, always: true },
  "doctor-reinstated": { type: "success", email: true, sms: true, always: true },
  "case-waiting": { type: "info", email: true },
  "case-assigned": { type: "info", email: true },
  "case-reminder": { type: "warning", email: true },
  "case-late": { type: "danger", email: true },
  "profile-change-approved": { type: "success", email: true, sms: true },
  "profile-change-refused": { type: "danger", email: true, sms: true },
  "bank-change-asked": { type: "warning", email: true, always: true },
  "place-asks-doctor": { type: "info", email: true },
  "doctor-asks-place": { type: "info", email: true },
  "practice-accepted": { type: "success", email: true },
  "practice-refused": { type: "warning", email: true },
  "webhook-disabled": { type: "danger", email: true },
  "prescription-signed": { type: "success", email: true, sms: true, visit: true },
  "certificate-signed": { type: "success", email: true, sms: true, visit: true },
  "order-signed": { type: "success", email: true, sms: true, visit: true },
  "order-replaced": { type: "warning", email: true, sms: true, visit: true },
  "order-cancelled": { type: "warning", email: true, sms: true, visit: true },
  "order-result": { type: "info", email: true },
  "result-added": { type: "success", email: true, sms: true },
  "prescription-replaced": { type: "warning", email: true, sms: true, visit: true },
  "prescription-cancelled": { type: "danger", email: true, sms: true, always: true },
  "payment-received": { type: "success", email: true, sms: true, visit: true },
  "payment-late": { type: "warning", email: true, sms: true, visit: true },
  "refund-started": { type: "info", email: true, sms: true, visit: true },
  "refund-done": { type: "success", email: true, sms: true, visit: true },
  "refund-failed": { type: "danger", email: true, sms: true, always: true },
  "refund-stuck": { type: "danger", email: true, always: true },
  "refund-unsolved": { type: "danger", email: true, always: true },
  "follow-up-due": { type: "info", email: true, sms: true, reminder: true, visit: true, follow: true },
  "waitlist-offer": { type: "success", email: true, sms: true, offer: true },
  "waitlist-lapsed": { type: "info" },
  "waitlist-withdrawn": { type: "warning", email: true },
  "waitlist-ended": { type: "info", email: true },
  "support-answered": { type: "success", email: true },
  "support-closed": { type: "info" },
  "support-replied": { type: "info" },
  "review-received": { type: "info" },
  "review-hidden": { type: "warning" },
  "review-shown": { type: "success" },
  "review-replied": { type: "info" },
  "review-reply-hidden": { type: "warning" },
  "push-ended": { type: "warning", email: true },
  announcement: { type: "info" },
  "password-changed": { type: "warning", email: true, always: true },
  "password-reset": { type: "warning", email: true, sms: true, always: true, alert: true },
  "passkey-added": { type: "warning", email: true, sms: true, always: true },
  "passkey-removed": { type: "warning", email: true, sms: true, always: true },
} as const satisfies Record<string, NotificationLook>;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
export const isNotificationKind = (text: string): text is NotificationKind => Object.hasOwn(NOTIFICATION_KINDS, text);
/**
 * Parameters of the texts. Visits: `doctor`, `patient`, `date` (yyyy-mm-dd) and `time` (HH:mm), formatted when read; `appointment`, its id. With a token: `token`, and `expected` (HH:mm), with `until` when the range of the queue was known. Cancelled by the doctor: `why`, and `wrote` when the doctor left a message. Moved by the clinic, or by an administrator as asked: `fromDate`, `fromTime`. Proposed times: `options` ("yyyy-mm-dd HH:mm, …"), `why` when the doctor is away. Cancelled by the patient, because it was not paid, or changed by a member of the clinic: `by`. Visits of a
 * suspended doctor: also `why` and `note`. Cases: `doctor` and `note`; a reminder `doctor`, `hospital` and `date`, since when it waits. Changes of a profile: `field` and `note`. Places: `place`, or `doctor`. Announcements: `title` and `message` as an administrator wrote them, and `announcement`, the id. Webhooks: `place` and `website`. Waitlist: as visits; an offer also has `until` (HH:mm), `ends` (ISO) and `sms`. Prescriptions: as visits, without `time`; never a medicine. Payments and refunds: as visits, with `amount` and `reference`, of the bank. Follow-ups: as prescriptions; `date` is the day to come back and `visit` the id of the visit. Reviews:
 * `author` and `stars` for the doctor, `doctor` and `note` for the author; never the text of the review. Support: `reference`, never a message.
 */
export type NotificationParams = Record<string, string>;
