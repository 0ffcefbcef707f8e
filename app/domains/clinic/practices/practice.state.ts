import type { PracticeState } from "#app/lib/vocabulary.ts";

/**
 * The states of a practice after the first, used by pages, commands and tests. It begins as `active`, or as `asked` at a place that has an
 * owner, or that an administrator has to confirm. An administrator who refuses such a place closes it. A doctor's first practice is always active.
 */
export const PRACTICE_ACTIONS = {
  accept: { from: ["asked"], to: "active", by: ["owner", "admin"] },
  close: { from: ["asked", "active"], to: "closed", by: ["doctor", "admin"] },
} as const satisfies Record<string, { from: readonly PracticeState[]; to: PracticeState; by: readonly ("doctor" | "owner" | "admin")[] }>;
