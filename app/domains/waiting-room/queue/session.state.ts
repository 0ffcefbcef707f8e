import { leadsFrom } from "#app/lib/state-table.ts";
import type { QueueSessionState } from "#app/lib/vocabulary.ts";

type By = "reception" | "doctor" | "system";

/** The states of a session, used by pages, commands and the test of every state × action. `system`: the sweep, after the end of a session that nobody opened. */
export const QUEUE_SESSION_ACTIONS = {
  /** "Doctor is in". */
  open: { from: ["planned"], to: "open", by: ["reception", "doctor"] },
  pause: { from: ["open"], to: "paused", by: ["reception", "doctor"] },
  resume: { from: ["paused"], to: "open", by: ["reception", "doctor"] },
  close: { from: ["planned", "open", "paused"], to: "closed", by: ["reception", "doctor", "system"] },
  /** Closed by mistake: on the same day. */
  reopen: { from: ["closed"], to: "open", by: ["reception", "doctor"] },
} as const satisfies Record<string, { from: readonly QueueSessionState[]; to: QueueSessionState; by: readonly By[] }>;

export type QueueSessionAction = keyof typeof QUEUE_SESSION_ACTIONS;

/** Returns true if the action is allowed in this state. */
export const canSession = (action: QueueSessionAction, state: QueueSessionState): boolean =>
  leadsFrom(QUEUE_SESSION_ACTIONS[action], state);
