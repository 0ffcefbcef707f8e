/**
 * The recorded state changes: for each kind of subject the actions of its state table, after the action that creates it.
 * `event-kinds.test.ts` compares them with the state tables.
 */
export const EVENT_ACTIONS = {
  appointment: ["book", "accept", "complete", "undo-complete", "cancel", "reschedule", "move", "take-proposal"],
  proposal: ["propose", "take", "decline", "lapse"],
  doctor: ["register", "submit", "hospital-approve", "hospital-reject", "approve", "reject", "revise", "return", "suspend", "reinstate"],
  practice: ["open", "accept", "close"],
  "profile-change": ["ask", "withdraw", "approve", "refuse"],
  membership: ["invite", "accept", "suspend", "resume", "end"],
  payment: ["receive", "refund", "refund-part", "restore", "restore-part"],
  "payment-order": ["create", "pay", "expire", "fail"],
  "provider-refund": ["request", "process", "fail", "retry", "withdraw"],
  "place-doctor": ["add", "accept-place", "accept-doctor", "end"],
  "queue-session": ["plan", "open", "pause", "resume", "close", "reopen"],
  "queue-entry": [
    "add",
    "arrive",
    "call",
    "undo-call",
    "enter",
    "finish",
    "skip",
    "return",
    "leave",
    "miss",
    "undo-miss",
    "undo-finish",
    "return-inside",
    "complete",
    "unseen",
    "lapse",
    "undo-lapse",
  ],
  "visit-document": ["write", "sign", "discard", "supersede", "cancel"],
  waitlist: ["join", "offer", "take", "pass", "lapse", "wait-again", "withdraw-offer", "end"],
  review: ["write", "edit", "withdraw", "hide", "keep", "show"],
} as const;

export type EventSubject = keyof typeof EVENT_ACTIONS;
/** Subject and action: "appointment.cancel". */
export type EventKind = { [S in EventSubject]: `${S}.${(typeof EVENT_ACTIONS)[S][number]}` }[EventSubject];

const KINDS: ReadonlySet<string> = new Set(
  Object.entries(EVENT_ACTIONS).flatMap(([of, actions]) => actions.map((action) => `${of}.${action}`)),
);
export const isEventKind = (kind: string): kind is EventKind => KINDS.has(kind);
