import type { WaitlistState } from "#app/db/schema/index.ts";

/** Who takes an action: the patient, or the product (a time opens or goes, an offer ends, the days are over). */
export type WaitlistActor = "patient" | "system";

/**
 * The states of an entry after the first, used by pages, commands and tests. It begins as `waiting`. After `pass` and `lapse` it waits
 * again in the same transaction and keeps its place.
 */
export const WAITLIST_ACTIONS = {
  offer: { from: ["waiting"], to: "offered", by: ["system"] },
  take: { from: ["offered"], to: "taken", by: ["patient"] },
  pass: { from: ["offered"], to: "passed", by: ["patient"] },
  /** The offer has ended without an answer. */
  lapse: { from: ["offered"], to: "lapsed", by: ["system"] },
  "wait-again": { from: ["passed", "lapsed"], to: "waiting", by: ["system"] },
  /** The offered time is gone: the doctor removed it, takes leave or is suspended. */
  "withdraw-offer": { from: ["offered"], to: "waiting", by: ["system"] },
  end: { from: ["waiting", "offered", "lapsed"], to: "ended", by: ["patient", "system"] },
} as const satisfies Record<string, { from: readonly WaitlistState[]; to: WaitlistState; by: readonly WaitlistActor[] }>;

export type WaitlistAction = keyof typeof WAITLIST_ACTIONS;
