import type { ImportState } from "#app/lib/vocabulary.ts";

/** The states of an import. Jobs end `check`, `commit` and `undo`, or stop. An import can be undone for seven days. */
export const IMPORT_ACTIONS = {
  "read-again": { from: ["uploaded", "checked"], to: "uploaded", by: ["owner", "doctor"] },
  "choose-columns": { from: ["uploaded", "checked"], to: "checking", by: ["owner", "doctor"] },
  check: { from: ["checking"], to: "checked", by: ["system"] },
  commit: { from: ["checked"], to: "importing", by: ["owner", "doctor"] },
  finish: { from: ["importing"], to: "done", by: ["system"] },
  undo: { from: ["done", "stopped"], to: "undoing", by: ["owner", "doctor"] },
  "finish-undo": { from: ["undoing"], to: "undone", by: ["system"] },
  stop: { from: ["checking", "importing", "undoing"], to: "stopped", by: ["system"] },
  discard: { from: ["uploaded", "checked"], to: "discarded", by: ["owner", "doctor", "system"] },
} as const satisfies Record<string, { from: readonly ImportState[]; to: ImportState; by: readonly string[] }>;
export type ImportAction = keyof typeof IMPORT_ACTIONS;

/** States in which a job works: the page shows its progress. */
export const WORKING = ["checking", "importing", "undoing"] as const satisfies readonly ImportState[];
export const isWorking = (state: ImportState): boolean => (WORKING as readonly ImportState[]).includes(state);
