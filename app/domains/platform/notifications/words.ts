/**
 * The texts of notifications on pages and in emails: the email texts; their sentences are in app/messages. Five emails have theirs where they are sent: a
 * new password (reset-password.server.ts), a new address (notification-email.server.ts), invitations (invite-reviewer.server.ts, invite-member.server.ts)
 * and the patient's own change (send-own-change.server.ts). SMS templates: app/integrations/sms/templates.ts.
 */
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { cancelReasonWord, isVisitReason, visitReasonWord } from "#app/domains/visit-reasons.ts";
import { formatDate, formatTime } from "#app/lib/dates.ts";
import { doctorOf } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import type { NotificationKind, NotificationParams } from "./kinds.ts";

type Words = { title: string; message: string };
const visit = (p: NotificationParams) => ({
  doctor: doctorOf(p),
  patient: patientNameWord(p.patient ?? ""),
  date: formatDate(p.date ?? "1970-01-01"),
  time: visitTimeWord({
    time: p.time ?? "00:00",
    token: Number(p.token) || null,
    expectedTime: p.expected ?? null,
    expected: p.expected && p.until ? { from: p.expected, until: p.until } : undefined,
  }),
});
const waiting = (p: NotificationParams) => ({
  doctor: doctorOf(p),
  hospital: p.hospital ?? "",
  date: formatDate(p.date ?? "1970-01-01"),
});
const moved = (p: NotificationParams) => ({
  ...visit(p),
  fromDate: formatDate(p.fromDate ?? "1970-01-01"),
  fromTime: formatTime(p.fromTime ?? "00:00"),
});
const paid = (p: NotificationParams) => ({ ...visit(p), amount: p.amount ?? "" });
/** Returns the name of a changed field, for use within a sentence. */
const field = (p: NotificationParams) => ({ field: FIELDS[p.field ?? ""]?.() ?? m.notifications_field_profile() });
const FIELDS: Record<string, () => string> = {
  name: () => m.notifications_field_name(),
  council: () => m.notifications_field_council(),
  hospital: () => m.notifications_field_hospital(),
  bank: () => m.notifications_field_bank(),
};
/** Returns proposed times for use within a sentence. */
const proposed = ({ options = "" }: NotificationParams) => ({
  options: options
    .split(",")
    .filter(Boolean)
    .map((at) => at.split(" "))
    .map(([date = "", time = ""]) => `${formatDate(date)}, ${formatTime(time)}`)
    .join("; "),
});
const note = (p: NotificationParams) => (p.note ? ` ${m.notifications_note({ note: p.note })}` : "");

/** Returns why a visit of a suspended doctor changes. */
const why = ({ why = "", ...p }: NotificationParams) => (isVisitReason(why) ? visitReasonWord(why) : "") + note(p);

const WORDS: Record<NotificationKind, (p: NotificationParams) => Words> = {
  "appointment-booked": (p) => ({ title: m.notifications_booked_title(), message: m.notifications_booked(visit(p)) }),
  "appointment-booked-by-clinic": (p) => ({ title: m.caller_notice_title(), message: m.notifications_booked_by_desk(visit(p)) }),
  "appointment-booked-for-you": (p) => ({
    title: m.caller_notice_title(),
    message: m.caller_notice(visit(p)),
  }),
  "account-claimed": () => ({ title: m.caller_claimed_title(), message: m.caller_claimed() }),
  "appointment-accepted": (p) => ({ title: m.notifications_accepted_title(), message: m.notifications_accepted(visit(p)) }),
  "appointment-completed": (p) => ({ title: m.notifications_completed_title(), message: m.notifications_completed(visit(p)) }),
  "appointment-completion-undone": (p) => ({ title: m.notifications_undone_title(), message: m.notifications_undone(visit(p)) }),
  "appointment-cancelled": (p) => ({
    title: m.notifications_cancelled_title(),
    message:
      p.by === "patient"
        ? m.notifications_cancelled_by_patient(visit(p))
        : p.by === "unpaid"
          ? m.notifications_cancelled_unpaid(visit(p))
          : p.by === "clinic"
            ? m.notifications_cancelled_by_desk(visit(p))
            : m.notifications_cancelled(visit(p)),
  }),
  "appointment-unpaid": (p) => ({
    title: m.notifications_cancelled_title(),
    message: `${m.notifications_unpaid(visit(p))} ${m.notifications_book_again()}`,
  }),
  "appointment-cancelled-by-doctor": (p) => ({
    title: m.notifications_cancelled_title(),
    message: [
      p.by === "clinic" ? m.notifications_cancelled_by_clinic(visit(p)) : m.notifications_cancelled_by_doctor(visit(p)),
      cancelReasonWord(p.why),
      p.wrote && (p.by === "clinic" ? m.notifications_clinic_wrote() : m.proposals_notice_wrote()),
      m.notifications_book_again(),
    ]
      .filter(Boolean)
      .join(" "),
  }),
  "appointment-queue-closed": (p) => ({
    title: m.notifications_queue_closed_title(),
    message: `${m.notifications_queue_closed(visit(p))} ${m.notifications_book_again()}`,
  }),
  "appointment-cancelled-for-you": (p) => ({
    title: m.notifications_cancelled_title(),
    message: `${m.notifications_cancelled_by_nadi(visit(p))} ${why(p)} ${m.notifications_book_another()}`,
  }),
  "appointment-cancelled-as-asked": (p) => ({
    title: m.notifications_cancelled_title(),
    message: m.notifications_cancelled_as_asked(visit(p)),
  }),
  "appointment-moved-as-asked": (p) => ({
    title: m.proposals_notice_moved_title(),
    message: m.notifications_moved_as_asked(moved(p)),
  }),
  "appointment-choose-again": (p) => ({
    title: m.notifications_choose_again_title(),
    message: `${m.notifications_choose_again(visit(p))} ${why(p)} ${m.notifications_choose_again_how()}`,
  }),
  "payment-received": (p) => ({ title: m.notifications_payment_title(), message: m.notifications_payment(paid(p)) }),
  "payment-late": (p) => ({ title: m.notifications_payment_late_title(), message: m.notifications_payment_late(paid(p)) }),
  "refund-started": (p) => ({ title: m.notifications_refund_title(), message: m.notifications_refund(paid(p)) }),
  "refund-done": (p) => ({
    title: m.notifications_refund_done_title(),
    message: [m.notifications_refund_done(paid(p)), p.reference && m.notifications_refund_reference({ reference: p.reference })]
      .filter(Boolean)
      .join(" "),
  }),
  "refund-failed": (p) => ({ title: m.notifications_refund_failed_title(), message: m.notifications_refund_failed(paid(p)) }),
  "refund-stuck": (p) => ({ title: m.notifications_refund_failed_title(), message: m.notifications_refund_stuck(paid(p)) }),
  "push-ended": () => ({ title: m.notifications_push_ended_title(), message: m.notifications_push_ended() }),
  "refund-unsolved": (p) => {
    const { amount, doctor, date } = paid(p);
    return { title: m.notifications_refund_failed_title(), message: m.notifications_refund_unsolved({ amount, doctor, date }) };
  },
  "appointment-rescheduled": (p) => ({ title: m.notifications_rescheduled_title(), message: m.notifications_rescheduled(visit(p)) }),
  "appointment-moved": (p) => ({
    title: m.proposals_notice_moved_title(),
    message:
      p.by === "clinic"
        ? `${m.notifications_moved_by_clinic(moved(p))} ${m.notifications_moved_can_cancel()}`
        : m.proposals_notice_moved(moved(p)),
  }),
  "appointment-moved-by-clinic": (p) => ({
    title: m.proposals_notice_moved_title(),
    message: m.notifications_moved_by_desk(moved(p)),
  }),
  "time-proposed-away": (p) => ({
    title: m.proposals_notice_away_title(),
    message: [
      m.proposals_notice_away(visit(p)),
      cancelReasonWord(p.why),
      m.proposals_notice_away_choose({
        ...proposed(p),
        until: `${formatDate(p.untilDate ?? "1970-01-01")}, ${formatTime(p.untilTime ?? "00:00")}`,
      }),
    ]
      .filter(Boolean)
      .join(" "),
  }),
  "time-proposed": (p) => ({
    title: m.proposals_notice_title(),
    message: (p.by === "clinic" ? m.proposals_notice_by_clinic : m.proposals_notice)({ ...visit(p), ...proposed(p) }),
  }),
  "proposal-taken": (p) => ({ title: m.proposals_notice_taken_title(), message: m.proposals_notice_taken(visit(p)) }),
  "proposal-declined": (p) => ({
    title: m.proposals_notice_declined_title(),
    message: m.proposals_notice_declined(visit(p)),
  }),
  "appointment-reminder-day": (p) => ({ title: m.notifications_reminder_day_title(), message: m.notifications_reminder(visit(p)) }),
  "appointment-reminder-hours": (p) => ({ title: m.notifications_reminder_hours_title(), message: m.notifications_reminder(visit(p)) }),
  "appointment-unanswered": (p) => ({ title: m.notifications_unanswered_title(), message: m.notifications_unanswered(visit(p)) }),
  "doctor-submitted": () => ({ title: m.notifications_submitted_title(), message: m.notifications_submitted() }),
  "doctor-hospital-approved": () => ({ title: m.notifications_hospital_approved_title(), message: m.notifications_hospital_approved() }),
  "doctor-verified": () => ({ title: m.notifications_verified_title(), message: m.notifications_verified() }),
  "doctor-rejected": (p) => ({ title: m.notifications_rejected_title(), message: m.notifications_rejected() + note(p) }),
  "doctor-suspended": (p) => ({ title: m.notifications_suspended_title(), message: m.notifications_suspended() + note(p) }),
  "doctor-reinstated": () => ({ title: m.notifications_reinstated_title(), message: m.notifications_reinstated() }),
  "case-waiting": (p) => ({ title: m.notifications_case_title(), message: m.notifications_case({ doctor: doctorOf(p) }) }),
  "case-assigned": (p) => ({
    title: m.notifications_case_assigned_title(),
    message: m.notifications_case_assigned({ doctor: doctorOf(p) }),
  }),
  "case-reminder": (p) => ({ title: m.notifications_case_reminder_title(), message: m.notifications_case_reminder(waiting(p)) }),
  "case-late": (p) => ({ title: m.notifications_case_late_title(), message: m.notifications_case_late(waiting(p)) }),
  "profile-change-approved": (p) => ({
    title: m.notifications_change_approved_title(),
    message: m.notifications_change_approved(field(p)) + note(p),
  }),
  "profile-change-refused": (p) => ({
    title: m.notifications_change_refused_title(),
    message: m.notifications_change_refused(field(p)) + note(p),
  }),
  "bank-change-asked": () => ({ title: m.notifications_bank_asked_title(), message: m.notifications_bank_asked() }),
  "webhook-disabled": (p) => ({
    title: m.notifications_webhook_title(),
    message: m.notifications_webhook({ place: p.place ?? "", website: p.website ?? "" }),
  }),
  "place-asks-doctor": (p) => ({
    title: m.notifications_place_asks_title(),
    message: m.notifications_place_asks({ place: p.place ?? "" }),
  }),
  "doctor-asks-place": (p) => ({
    title: m.notifications_doctor_asks_title(),
    message: m.notifications_doctor_asks({ doctor: doctorOf(p) }),
  }),
  "practice-accepted": ({ place = "" }) => ({
    title: m.notifications_practice_accepted_title(),
    message: m.notifications_practice_accepted({ place }),
  }),
  "practice-refused": ({ place = "", note = "" }) => ({
    title: m.notifications_practice_refused_title(),
    message: m.notifications_practice_refused({ place, reason: note }),
  }),
  "waitlist-offer": (p) => ({
    title: m.notifications_waitlist_offer_title(),
    message: m.notifications_waitlist_offer({ ...visit(p), until: formatTime(p.until ?? "00:00") }),
  }),
  "waitlist-lapsed": (p) => ({ title: m.notifications_waitlist_lapsed_title(), message: m.notifications_waitlist_lapsed(visit(p)) }),
  "waitlist-withdrawn": (p) => ({
    title: m.notifications_waitlist_withdrawn_title(),
    message: m.notifications_waitlist_withdrawn(visit(p)),
  }),
  "waitlist-ended": (p) => ({
    title: m.notifications_waitlist_ended_title(),
    message: (p.why === "unanswered" ? m.notifications_waitlist_unanswered : m.notifications_waitlist_ended)({ doctor: doctorOf(p) }),
  }),
  "follow-up-due": (p) => ({ title: m.notifications_follow_title(), message: m.notifications_follow(visit(p)) }),
  "prescription-signed": (p) => ({
    title: m.notifications_prescription_title(),
    message: m.notifications_prescription(visit(p)),
  }),
  "certificate-signed": (p) => ({
    title: m.notifications_certificate_title(),
    message: m.notifications_certificate(visit(p)),
  }),
  "order-signed": (p) => ({ title: m.notifications_order_title(), message: m.notifications_order(visit(p)) }),
  "order-replaced": (p) => ({ title: m.notifications_order_replaced_title(), message: m.notifications_order_replaced(visit(p)) }),
  "order-cancelled": (p) => ({ title: m.notifications_order_cancelled_title(), message: m.notifications_order_cancelled(visit(p)) }),
  "order-result": (p) => ({ title: m.notifications_order_result_title(), message: m.notifications_order_result(visit(p)) }),
  "result-added": (p) => ({ title: m.notifications_result_title(), message: m.notifications_result(visit(p)) }),
  "prescription-replaced": (p) => ({
    title: m.notifications_prescription_replaced_title(),
    message: m.notifications_prescription_replaced(visit(p)),
  }),
  "prescription-cancelled": (p) => ({
    title: m.notifications_prescription_cancelled_title(),
    message: m.notifications_prescription_cancelled(visit(p)),
  }),
  "support-answered": (p) => ({
    title: m.notifications_support_title(),
    message: m.notifications_support({ reference: p.reference ?? "" }),
  }),
  "support-closed": (p) => ({
    title: m.notifications_support_closed_title(),
    message: m.notifications_support_closed({ reference: p.reference ?? "" }),
  }),
  "support-replied": (p) => ({
    title: m.notifications_support_reply_title(),
    message: m.notifications_support_reply({ reference: p.reference ?? "" }),
  }),
  "review-received": (p) => ({
    title: m.notifications_review_title(),
    message: m.notifications_review({ author: p.author || m.reviews_someone(), stars: p.stars ?? "" }),
  }),
  "review-hidden": (p) => ({
    title: m.notifications_review_hidden_title(),
    message: m.notifications_review_hidden({ doctor: doctorOf(p) }) + note(p),
  }),
  "review-shown": (p) => ({
    title: m.notifications_review_shown_title(),
    message: m.notifications_review_shown({ doctor: doctorOf(p) }),
  }),
  "review-replied": (p) => ({
    title: m.notifications_review_replied_title(),
    message: m.notifications_review_replied({ doctor: doctorOf(p) }),
  }),
  "review-reply-hidden": (p) => ({
    title: m.notifications_review_reply_hidden_title(),
    message: m.notifications_review_reply_hidden() + note(p),
  }),
  announcement: (p) => ({ title: p.title ?? "", message: p.message ?? "" }),
  "password-reset": () => ({ title: m.notifications_reset_title(), message: m.notifications_reset() }),
  "passkey-added": (p) => ({
    title: m.notifications_passkey_added_title(),
    message: m.notifications_passkey_added({ name: p.name ?? "" }),
  }),
  "passkey-removed": (p) => ({
    title: m.notifications_passkey_removed_title(),
    message: m.notifications_passkey_removed({ name: p.name ?? "" }),
  }),
  "password-changed": () => ({ title: m.notifications_password_title(), message: m.notifications_password() }),
};

/** Returns title and message of a notification in the current language. */
export const wordsOf = (kind: NotificationKind, params: NotificationParams): Words => WORDS[kind](params);

/** "Just now" in the first minute. Then spec 000 §9: "Nm ago" under 60 minutes, "Nh ago" under 24 hours, "1 day ago", then "N days ago". */
export function agoWord(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 1) return m.notifications_just_now();
  if (minutes < 60) return m.notifications_minutes_ago({ count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return m.notifications_hours_ago({ count: hours });
  const days = Math.floor(hours / 24);
  return days === 1 ? m.notifications_day_ago() : m.notifications_days_ago({ count: days });
}
