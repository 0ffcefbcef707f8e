import type { EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import type { WebhookDeliveryState, WebhookState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const SUBJECT_WORDS: Record<EventSubject, () => string> = {
  appointment: m.hooks_subject_appointment,
  proposal: m.hooks_subject_proposal,
  "queue-session": m.hooks_subject_queue_session,
  "queue-entry": m.hooks_subject_queue_entry,
  waitlist: m.hooks_subject_waitlist,
  payment: m.hooks_subject_payment,
  "payment-order": m.hooks_subject_payment_order,
  "provider-refund": m.hooks_subject_provider_refund,
  "visit-document": m.hooks_subject_visit_document,
  review: m.hooks_subject_review,
  practice: m.hooks_subject_practice,
  "place-doctor": m.hooks_subject_place_doctor,
  doctor: m.hooks_subject_doctor,
  "profile-change": m.hooks_subject_profile_change,
  membership: m.hooks_subject_membership,
};
/** Every subject with its word, in the order of the form. */
export const subjectOptions = () => Object.entries(SUBJECT_WORDS).map(([value, word]) => ({ value, label: word() }));

export const stateWord = (state: WebhookState): string =>
  ({ active: m.hooks_state_active, paused: m.hooks_state_paused, disabled: m.hooks_state_disabled })[state]();
export const STATE_TONES = { active: "ok", paused: "warn", disabled: "bad" } as const satisfies Record<WebhookState, string>;

export const deliveryWord = (state: WebhookDeliveryState): string =>
  ({ delivered: m.hooks_delivery_delivered, waiting: m.hooks_delivery_waiting, failed: m.hooks_delivery_failed })[state]();
export const DELIVERY_TONES = { delivered: "ok", waiting: "info", failed: "bad" } as const satisfies Record<WebhookDeliveryState, string>;

/** Says why the last attempt failed. */
export function errorWord(error: string, status: number | null): string {
  const words: Record<string, () => string> = {
    address: m.hooks_error_address,
    dns: m.hooks_error_dns,
    timeout: m.hooks_error_timeout,
    tls: m.hooks_error_tls,
    connection: m.hooks_error_connection,
    redirect: () => m.hooks_error_redirect({ status: status ?? "" }),
    status: () => m.hooks_error_status({ status: status ?? "" }),
  };
  return words[error]?.() ?? m.hooks_error_connection();
}
