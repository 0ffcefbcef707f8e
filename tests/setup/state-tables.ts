/** The state table of each kind of subject that has events. A new kind does not compile without a line. */
import { APPOINTMENT_ACTIONS } from "#app/domains/appointment.state.ts";
import { PROPOSAL_ACTIONS } from "#app/domains/booking/appointments/proposal.state.ts";
import { REVIEW_ACTIONS } from "#app/domains/booking/reviews/review.state.ts";
import { WAITLIST_ACTIONS } from "#app/domains/booking/waitlist/waitlist.state.ts";
import { PRACTICE_ACTIONS } from "#app/domains/clinic/practices/practice.state.ts";
import { VERIFICATION_ACTIONS } from "#app/domains/credentials/cases/verification.state.ts";
import { PROFILE_CHANGE_ACTIONS } from "#app/domains/credentials/profile-changes/profile-change.state.ts";
import { PAYMENT_ORDER_ACTIONS } from "#app/domains/money/orders/order.state.ts";
import { PAYMENT_ACTIONS } from "#app/domains/money/payments/payment.state.ts";
import { PROVIDER_REFUND_ACTIONS } from "#app/domains/money/refunds/provider-refund.state.ts";
import { MEMBERSHIP_ACTIONS } from "#app/domains/places/members/membership.state.ts";
import { PLACE_DOCTOR_ACTIONS } from "#app/domains/places/members/place-doctor.state.ts";
import { EVENT_ACTIONS, type EventKind, type EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import { VISIT_DOCUMENT_ACTIONS } from "#app/domains/visit/documents/visit-document.state.ts";
import { QUEUE_ENTRY_ACTIONS } from "#app/domains/waiting-room/queue/entry.state.ts";
import { QUEUE_SESSION_ACTIONS } from "#app/domains/waiting-room/queue/session.state.ts";

export const STATE_TABLES = {
  appointment: APPOINTMENT_ACTIONS,
  proposal: PROPOSAL_ACTIONS,
  doctor: VERIFICATION_ACTIONS,
  practice: PRACTICE_ACTIONS,
  "profile-change": PROFILE_CHANGE_ACTIONS,
  membership: MEMBERSHIP_ACTIONS,
  payment: PAYMENT_ACTIONS,
  "payment-order": PAYMENT_ORDER_ACTIONS,
  "provider-refund": PROVIDER_REFUND_ACTIONS,
  "place-doctor": PLACE_DOCTOR_ACTIONS,
  "queue-session": QUEUE_SESSION_ACTIONS,
  "queue-entry": QUEUE_ENTRY_ACTIONS,
  "visit-document": VISIT_DOCUMENT_ACTIONS,
  waitlist: WAITLIST_ACTIONS,
  review: REVIEW_ACTIONS,
} as const satisfies Record<EventSubject, Record<string, { from: readonly string[]; to: string }>>;

/** An action and the state before it: "appointment.cancel from pending". The action that creates a subject has no state before it. */
export type Transition = EventKind | `${EventKind} from ${string}`;
export const transitionOf = (kind: EventKind, before: string | null): Transition => (before === null ? kind : `${kind} from ${before}`);

/** Returns every transition that the state table of this kind of subject allows. */
export const transitionsOf = (subject: EventSubject): Transition[] => [
  `${subject}.${EVENT_ACTIONS[subject][0]}` as EventKind,
  ...Object.entries<{ from: readonly string[] }>(STATE_TABLES[subject]).flatMap(([action, { from }]) =>
    from.map((state) => transitionOf(`${subject}.${action}` as EventKind, state)),
  ),
];
