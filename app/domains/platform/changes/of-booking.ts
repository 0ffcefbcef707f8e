/** Appointments, free times, waitlists and reviews. */
import type { Consequences } from "./consequences.ts";

/** Audit entries in the log of the patient, of the doctor or of the user. */
const appointment = { of: "appointment", person: "patient" } as const;
const entry = { of: "waitlist-entry", person: "patient" } as const;
const review = { of: "review", person: "patient" } as const;
const ownDoctor = { of: "doctor", person: "doctor" } as const;
const ownUser = { of: "user", person: "user" } as const;
/** Open pages of the side that acted, and of the members at the desk. */
const OPEN = { live: ["actor"], desks: true } as const;

export const OF_BOOKING = {
  "appointment.book": {
    audit: { ...appointment, action: "book-appointment" },
    live: ["patient"],
    notify: { doctor: ["appointment-booked", "appointment-booked-by-clinic"] },
    desks: true,
    pages: "doctor",
  },
  "appointment.accept": {
    audit: { ...appointment, action: "accept-appointment" },
    notify: { patient: ["appointment-accepted", "appointment-booked-for-you"] },
    ...OPEN,
  },
  "appointment.complete": {
    audit: { ...appointment, action: "complete-appointment" },
    notify: { patient: ["appointment-completed"] },
    ...OPEN,
  },
  "appointment.undo-complete": {
    audit: { ...appointment, action: "undo-complete-appointment" },
    notify: { patient: ["appointment-completion-undone"] },
    ...OPEN,
  },
  // What else follows in the transaction: followCancellation.
  "appointment.cancel": {
    audit: { ...appointment, action: "cancel-appointment" },
    notify: {
      patient: ["appointment-cancelled-by-doctor", "appointment-cancelled-for-you", "appointment-queue-closed", "appointment-unpaid"],
      doctor: ["appointment-cancelled"],
    },
    ...OPEN,
    pages: "doctor",
    email: "own-change-email",
  },
  "appointment.reschedule": {
    audit: { ...appointment, action: "reschedule-appointment" },
    notify: { doctor: ["appointment-rescheduled"] },
    ...OPEN,
    pages: "doctor",
    email: "own-change-email",
  },
  "appointment.take-proposal": {
    audit: { ...appointment, action: "take-proposal-appointment" },
    notify: { doctor: ["proposal-taken"] },
    ...OPEN,
    pages: "doctor",
    email: "own-change-email",
  },
  "appointment.move": {
    audit: { ...appointment, action: "move-appointment" },
    notify: { patient: ["appointment-moved"], doctor: ["appointment-moved-by-clinic"] },
    ...OPEN,
    pages: "doctor",
  },
  "ask-to-choose-again": { audit: appointment, notify: { patient: ["appointment-choose-again"] } },
  "remind-of-appointment": {
    notify: { patient: ["appointment-reminder-day", "appointment-reminder-hours"], doctor: ["appointment-unanswered"] },
  },
  "decline-proposal": { audit: appointment, notify: { doctor: ["proposal-declined"] } },
  "choose-payment": { audit: appointment },

  "proposal.propose": {
    audit: { ...appointment, action: "propose-time" },
    notify: { patient: ["time-proposed", "time-proposed-away"] },
    ...OPEN,
  },
  // The appointment that it moves or leaves has the rest.
  "proposal.take": {},
  "proposal.decline": {},
  "proposal.lapse": {},

  "add-availability": { audit: ownDoctor, pages: "doctor" },
  "change-availability": { audit: ownDoctor, pages: "doctor" },
  "delete-availability": { audit: ownDoctor, pages: "doctor" },
  "set-refund-policy-of-doctor": { audit: { action: "set-refund-policy", of: "doctor" } },
  "set-refund-policy-of-place": { audit: { action: "set-refund-policy", of: "hospital" } },
  // Pages of times say whether they are prepaid.
  "set-prepayment-of-doctor": { audit: { action: "set-refund-policy", of: "doctor" }, pages: "doctor" },
  "set-prepayment-of-place": { audit: { action: "set-refund-policy", of: "hospital" }, pages: "directory" },
  "replace-calendar-feed": { audit: ownUser },
  "end-calendar-feed": { audit: ownUser },

  "waitlist.join": { audit: { ...entry, action: "join-waitlist" } },
  "waitlist.offer": { audit: { ...entry, action: "offer-time" } },
  "waitlist.take": { audit: { ...entry, action: "take-offer" } },
  "waitlist.pass": { audit: { ...entry, action: "pass-offer" } },
  "waitlist.lapse": { audit: { ...entry, action: "lapse-offer" } },
  "waitlist.withdraw-offer": { audit: { ...entry, action: "withdraw-offer" } },
  "waitlist.end": { audit: { ...entry, action: "end-waitlist-entry" } },
  // The step back to waiting belongs to the pass or lapse before it.
  "waitlist.wait-again": {},
  "notify-of-waitlist": { notify: { patient: ["waitlist-offer", "waitlist-lapsed", "waitlist-withdrawn", "waitlist-ended"] } },
  // Times that are offered, or no longer, are not free for others.
  "change-offers": { pages: "directory" },

  "review.write": { audit: { ...review, action: "write-review" }, notify: { doctor: ["review-received"] }, pages: "directory" },
  "review.edit": { audit: { ...review, action: "edit-review" }, pages: "directory" },
  "review.withdraw": { audit: { ...review, action: "take-back-review" }, pages: "directory" },
  "review.keep": { audit: { ...review, action: "keep-review" } },
  "review.hide": { audit: { ...review, action: "hide-review" }, notify: { patient: ["review-hidden"] }, pages: "directory" },
  "review.show": { audit: { ...review, action: "show-review" }, notify: { patient: ["review-shown"] }, pages: "directory" },
  "report-review": { audit: { of: "review" } },
  "reply-to-review": { audit: review, notify: { patient: ["review-replied"] }, pages: "directory" },
  "remove-review-reply": { audit: review, pages: "directory" },
  "hide-review-reply": { audit: { of: "review", person: "doctor" }, notify: { doctor: ["review-reply-hidden"] }, pages: "directory" },
  "show-review-reply": { audit: { of: "review", person: "doctor" }, pages: "directory" },
  "repair-ratings": { pages: "directory" },
} as const satisfies Record<string, Consequences>;
