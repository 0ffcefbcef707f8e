import type { PracticeState } from "#app/lib/vocabulary.ts";

/**
 * The states of a practice after the first, used by pages, commands and tests. It begins as `active`, or as `asked` at a place that has an
 * owner. A doctor's first practice is always active.
 */
export const PRACTICE_ACTIONS = {
  accept: { from: ["asked"], to: "active", by: ["owner"] },
  close: { from: ["asked", "active"], to: "closed", by: ["doctor"] },
} as const satisfies Record<string, { from: readonly PracticeState[]; to: PracticeState; by: readonly ("doctor" | "owner")[] }>;
