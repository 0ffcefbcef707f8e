import { describe, expect, it } from "vitest";
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
import { VISIT_DOCUMENT_ACTIONS } from "#app/domains/visit/documents/visit-document.state.ts";
import { QUEUE_ENTRY_ACTIONS } from "#app/domains/waiting-room/queue/entry.state.ts";
import { QUEUE_SESSION_ACTIONS } from "#app/domains/waiting-room/queue/session.state.ts";
import { EVENT_ACTIONS, type EventSubject } from "./event-kinds.ts";

const TABLES: Record<EventSubject, object> = {
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
};

describe("kinds of events", () => {
  it.each(Object.entries(TABLES))("are the actions of the state table, after the first: %s", (subject, table) => {
    const [first, ...rest] = EVENT_ACTIONS[subject as EventSubject];
    expect(Object.keys(table)).not.toContain(first);
    expect(rest.toSorted()).toEqual(Object.keys(table).toSorted());
  });
});
