/** `node scripts/state-machines.ts`: writes docs/state-machines.md from the state tables. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APPOINTMENT_ACTIONS } from "#app/domains/appointment.state.ts";
import { PROPOSAL_ACTIONS } from "#app/domains/booking/appointments/proposal.state.ts";
import { REVIEW_ACTIONS } from "#app/domains/booking/reviews/review.state.ts";
import { WAITLIST_ACTIONS } from "#app/domains/booking/waitlist/waitlist.state.ts";
import { IMPORT_ACTIONS } from "#app/domains/clinic/imports/import.state.ts";
import { PRACTICE_ACTIONS } from "#app/domains/clinic/practices/practice.state.ts";
import { VERIFICATION_ACTIONS } from "#app/domains/credentials/cases/verification.state.ts";
import { PROFILE_CHANGE_ACTIONS } from "#app/domains/credentials/profile-changes/profile-change.state.ts";
import { EMERGENCY_ACTIONS } from "#app/domains/guidance/emergency/emergency.state.ts";
import { ANSWERER_ACTIONS, CONVERSATION_ACTIONS } from "#app/domains/messages/conversation/conversation.state.ts";
import { PAYMENT_ORDER_ACTIONS } from "#app/domains/money/orders/order.state.ts";
import { PAYMENT_ACTIONS } from "#app/domains/money/payments/payment.state.ts";
import { PAYOUT_ACTIONS } from "#app/domains/money/payouts/payout.state.ts";
import { ACCOUNT_RETURN_ACTIONS } from "#app/domains/money/refunds/account-return.state.ts";
import { PROVIDER_REFUND_ACTIONS } from "#app/domains/money/refunds/provider-refund.state.ts";
import { ANNOUNCEMENT_ACTIONS } from "#app/domains/oversight/announcements/announcement.state.ts";
import { MEMBERSHIP_ACTIONS } from "#app/domains/places/members/membership.state.ts";
import { PLACE_DOCTOR_ACTIONS } from "#app/domains/places/members/place-doctor.state.ts";
import { SUPPORT_ACTIONS } from "#app/domains/platform/support/support.state.ts";
import { VISIT_DOCUMENT_ACTIONS } from "#app/domains/visit/documents/visit-document.state.ts";
import { QUEUE_ENTRY_ACTIONS } from "#app/domains/waiting-room/queue/entry.state.ts";
import { QUEUE_SESSION_ACTIONS } from "#app/domains/waiting-room/queue/session.state.ts";

type Rules = Record<string, { from: readonly string[]; to: string; by: readonly string[] }>;

const MACHINES: { title: string; file: string; words: string; rules: Rules }[] = [
  {
    title: "An appointment",
    file: "app/domains/appointment.state.ts",
    words:
      "Begins as `pending`. A patient may reschedule up to 24 hours before (`CHANGE_NOTICE`), and cancel until the deadline of the clinic's policy (`cancelDeadline`; 24 hours without one), until the start while the appointment is `pending`, when the clinic moved it or proposed other times because the doctor is away, or when the doctor is suspended; a doctor may cancel at any time. An administrator cancels while the doctor is suspended; otherwise, until the start, cancels or moves it for the patient or the doctor who asked, by the rules of that side. A job cancels while a required prepayment is overdue. A doctor may complete a visit from its booked time (`hasStarted`) and undo that for ten minutes (`UNDO_TIME`), unless the patient has reviewed it. An accepted visit of a past day that was never closed stays `accepted` and is listed under “From past days, not closed”.",
    rules: APPOINTMENT_ACTIONS,
  },
  {
    title: "Other times proposed by the doctor",
    file: "app/domains/booking/appointments/proposal.state.ts",
    words:
      "Begins as `proposed`, with one to three times; an appointment has at most one. It lapses when the doctor proposes again, when the appointment is moved or ends, and by a job when it expires ([appointments](../app/domains/booking/appointments/README.md)).",
    rules: PROPOSAL_ACTIONS,
  },
  {
    title: "A doctor's verification",
    file: "app/domains/credentials/cases/verification.state.ts",
    words:
      "Begins as `draft`. A reviewer decides only for their own hospital, and the user who approved for the hospital cannot approve again as administrator. Only `verified` doctors are in the directory and can be booked.",
    rules: VERIFICATION_ACTIONS,
  },
  {
    title: "An import of patients or appointments",
    file: "app/domains/clinic/imports/import.state.ts",
    words:
      "Begins as `uploaded`. Jobs check, commit and undo in batches; a job stops an import whose starter may no longer act for the clinic, or whose file is gone. What was imported can be undone for seven days ([imports](../app/domains/clinic/imports/README.md)).",
    rules: IMPORT_ACTIONS,
  },
  {
    title: "A conversation by SMS or WhatsApp",
    file: "app/domains/messages/conversation/conversation.state.ts",
    words:
      "Begins as `idle`. A step waits for the answer to its question; a late answer belongs to the question that was asked before it was sent. Words such as TOKEN, WHEN and STOP are understood at every step, and danger words before everything else ([conversation](../app/domains/messages/conversation/README.md)).",
    rules: CONVERSATION_ACTIONS,
  },
  {
    title: "Who answers a conversation",
    file: "app/domains/messages/conversation/conversation.state.ts",
    words:
      "Begins as `nadi`. While it is `waiting` Nadi still answers what it understands; while it is `clinic` only danger words and STOP.",
    rules: ANSWERER_ACTIONS,
  },
  {
    title: "A change of a verified profile",
    file: "app/domains/credentials/profile-changes/profile-change.state.ts",
    words: "Begins as `pending`, beside the profile, which stays as it was verified until an administrator approves.",
    rules: PROFILE_CHANGE_ACTIONS,
  },
  {
    title: "A practice",
    file: "app/domains/clinic/practices/practice.state.ts",
    words:
      "A doctor at a place. Begins as `active`, or as `asked` at a place that has an owner. The first practice of a doctor is always `active`. Closing removes its coming times and cancels the appointments on them.",
    rules: PRACTICE_ACTIONS,
  },
  {
    title: "A session of a queue",
    file: "app/domains/waiting-room/queue/session.state.ts",
    words:
      "One run of a practice. Begins as `planned`, and opens only when staff press “Doctor is in”. One that was never opened ends by itself ([queue](../app/domains/waiting-room/queue/README.md)); the sweep closes one that was left open for a day. A closed session can be opened again on its day.",
    rules: QUEUE_SESSION_ACTIONS,
  },
  {
    title: "A patient in a queue",
    file: "app/domains/waiting-room/queue/entry.state.ts",
    words:
      "Begins as `expected` (booked) or `arrived` (walk-in). One patient of a session is `with-doctor`. Closing makes patients who did not come `no-show` and others who were not seen `unseen`; one that was never opened or closed ends with `lapsed` patients.",
    rules: QUEUE_ENTRY_ACTIONS,
  },
  {
    title: "A payment",
    file: "app/domains/money/payments/payment.state.ts",
    words:
      "Begins as `captured`: the clinic has the money. The refunded amount decides the state, never the order of the refunds. A payment is refunded in the way it was made or in another one, and never by more than was paid. A refund by the provider that returned nothing may be withdrawn.",
    rules: PAYMENT_ACTIONS,
  },
  {
    title: "An order of the payment provider",
    file: "app/domains/money/orders/order.state.ts",
    words:
      "Begins as `created`; an appointment has at most one that is `created`. Our own time limit makes it `expired`, the provider's refusal `failed`. Money that still comes makes it `paid`: it pays what is due, the rest is refunded.",
    rules: PAYMENT_ORDER_ACTIONS,
  },
  {
    title: "A refund by the payment provider",
    file: "app/domains/money/refunds/provider-refund.state.ts",
    words:
      "Begins as `pending`, with the refund and its ledger entries in the same transaction. A failed one is sent again after one, six and 24 hours, and when the doctor or a member of the place asks for it. It is withdrawn when the money was returned in another way.",
    rules: PROVIDER_REFUND_ACTIONS,
  },
  {
    title: "What a payout account gets back",
    file: "app/domains/money/refunds/account-return.state.ts",
    words:
      "Begins as `pending`, when the clinic returned the money of a failed refund itself. A refused one is sent again after ten minutes, twelve times, then daily.",
    rules: ACCOUNT_RETURN_ACTIONS,
  },
  {
    title: "A payout account",
    file: "app/domains/money/payouts/payout.state.ts",
    words: "Begins as `requested`, until the payment provider has it. A change starts there again.",
    rules: PAYOUT_ACTIONS,
  },
  {
    title: "An entry of a waitlist",
    file: "app/domains/booking/waitlist/waitlist.state.ts",
    words:
      "Begins as `waiting`, one for each patient and doctor. After `pass` and `lapse` it is `waiting` again in the same transaction ([rules](waitlist.md)).",
    rules: WAITLIST_ACTIONS,
  },
  {
    title: "A prescription, certificate or order of tests",
    file: "app/domains/visit/documents/visit-document.state.ts",
    words:
      "Begins as `draft`, one for each visit and kind. What is signed never changes: a correction is a new draft, and signing it supersedes the earlier one in the same transaction. Only a signed one is valid for a pharmacist. A draft is discarded when its doctor discards it or its patient deletes the account.",
    rules: VISIT_DOCUMENT_ACTIONS,
  },
  {
    title: "A review",
    file: "app/domains/booking/reviews/review.state.ts",
    words:
      "Begins as `shown`, one for each completed appointment. Its author may edit it for 30 days (`EDIT_TIME`) and delete it at any time, which is final. Only shown reviews count in the ratings of the doctor and the hospital. `keep` closes reports.",
    rules: REVIEW_ACTIONS,
  },
  {
    title: "A member of a place",
    file: "app/domains/places/members/membership.state.ts",
    words:
      "Begins as `invited`; the link works once, for seven days. A place keeps one active owner: the last one cannot be suspended, removed or leave. An administrator acts on owners only. A member who is not `active` is logged out or refused at the next request.",
    rules: MEMBERSHIP_ACTIONS,
  },
  {
    title: "A doctor at a place",
    file: "app/domains/places/members/place-doctor.state.ts",
    words:
      "Begins as `claimed` (an owner of the place asked the doctor) or `asked` (the doctor asked a place with an owner). The other side accepts. Only then the staff act for the doctor.",
    rules: PLACE_DOCTOR_ACTIONS,
  },
  {
    title: "A question to support",
    file: "app/domains/platform/support/support.state.ts",
    words:
      "Begins as `open`, with its first message. It waits for an answer while it is `open`. A message of its user opens a closed one again. An answer is refused when the administrator has not seen the newest message.",
    rules: SUPPORT_ACTIONS,
  },
  {
    title: "An announcement",
    file: "app/domains/oversight/announcements/announcement.state.ts",
    words: "Begins as `draft`, the only state in which it can be changed. A job delivers it in batches and ends `sending`.",
    rules: ANNOUNCEMENT_ACTIONS,
  },
  {
    title: "A press of SOS",
    file: "app/domains/guidance/emergency/emergency.state.ts",
    words:
      "`IDLE` is the absence of a run. A run is stored for an hour. While contacting, the clock moves from one hospital to the next every 30 seconds and ends the run after the last: `stateAt` computes the state when the page is read, so no job is needed.",
    rules: EMERGENCY_ACTIONS,
  },
];

/** Returns the text of docs/state-machines.md. */
export function describeMachines(): string {
  const sections = MACHINES.map(({ title, file, words, rules }) => {
    const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
    const rows = Object.entries(rules).map(([action, { from, to, by }]) => `- **${action}** ${code(from)} → \`${to}\`: ${by.join(", ")}`);
    return `## ${title}\n\n${words} Table: \`${file}\`\n\n${rows.join("\n")}\n`;
  });
  return `# State machines

Written by \`node scripts/state-machines.ts\` from the state tables in the code. A line is an action, the states it starts from, the state it leads to, and who may do it.

The page reads the table (a button is shown only when the action is allowed), the command (one conditional \`UPDATE … WHERE status = ANY(from) RETURNING\`; no row means that another request was first) and the test that walks every status × action × role. Audit row, notification and live event are written in the same transaction.

${sections.join("\n")}`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "../docs/state-machines.md"), describeMachines());
