import type { Answerer } from "#app/lib/vocabulary.ts";

/** What a conversation by SMS or WhatsApp waits for. `idle`: for nothing. */
export const STEPS = ["idle", "language", "doctor", "doctors", "times", "days", "name", "details", "booked", "reminder", "offer"] as const;
export type Step = (typeof STEPS)[number];

/** Who takes an action: the user who writes, or the product, which sends reminders and offers. */
type By = "user" | "system";
type Rule = { from: readonly Step[]; to: Step; by: readonly By[] };

/**
 * The steps of a conversation, used by `reduce` and its tests. It begins as `idle`. The question of a step is answered by a number, a button
 * or a text; words such as TOKEN and STOP are understood at every step and leave the question open.
 */
export const CONVERSATION_ACTIONS = {
  "ask-language": { from: STEPS, to: "language", by: ["user"] },
  "ask-doctor": { from: STEPS, to: "doctor", by: ["user"] },
  "show-doctors": { from: STEPS, to: "doctors", by: ["user"] },
  /** Also the times to which an appointment can move. */
  "show-times": { from: STEPS, to: "times", by: ["user"] },
  "show-days": { from: ["times", "days"], to: "days", by: ["user"] },
  "ask-name": { from: ["times"], to: "name", by: ["user"] },
  "ask-details": { from: ["name", "details"], to: "details", by: ["user"] },
  book: { from: ["name", "details"], to: "booked", by: ["user"] },
  move: { from: ["times"], to: "booked", by: ["user"] },
  /** Also the answer to WHEN. */
  remind: { from: STEPS, to: "reminder", by: ["user", "system"] },
  offer: { from: STEPS, to: "offer", by: ["system"] },
  end: { from: STEPS, to: "idle", by: ["user", "system"] },
} as const satisfies Record<string, Rule>;
export type ConversationAction = keyof typeof CONVERSATION_ACTIONS;

/** Who answers next, from Nadi on. */
export const ANSWERER_ACTIONS = {
  "pass-on": { from: ["nadi"], to: "waiting", by: ["user"] },
  answer: { from: ["nadi", "waiting", "clinic"], to: "clinic", by: ["member"] },
  "hand-back": { from: ["waiting", "clinic"], to: "nadi", by: ["member"] },
} as const satisfies Record<string, { from: readonly Answerer[]; to: Answerer; by: readonly string[] }>;
