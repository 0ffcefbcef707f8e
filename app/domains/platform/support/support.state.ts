import type { Role } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";
import type { SupportState } from "#app/lib/vocabulary.ts";

const USERS = ["patient", "doctor", "reviewer", "staff"] as const satisfies readonly Role[];

/**
 * The states of a thread, used by pages, commands and the test of every state × action × role. Commands check that the thread is the
 * user's own. A message to a closed thread opens it again.
 */
export const SUPPORT_ACTIONS = {
  reply: { from: ["open", "answered"], to: "open", by: USERS },
  reopen: { from: ["closed"], to: "open", by: USERS },
  answer: { from: ["open", "answered", "closed"], to: "answered", by: ["admin"] },
  close: { from: ["open", "answered"], to: "closed", by: [...USERS, "admin"] },
} as const satisfies Record<string, { from: readonly SupportState[]; to: SupportState; by: readonly Role[] }>;

export type SupportAction = keyof typeof SUPPORT_ACTIONS;

/** Returns true if this role may take the action on a thread in this state. */
export const canSupport = (action: SupportAction, state: SupportState, role: Role): boolean => allows(SUPPORT_ACTIONS[action], state, role);
