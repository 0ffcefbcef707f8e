import type { ProposalState, Role } from "#app/db/schema/index.ts";

/** The states of another time that a doctor proposes for an appointment. */
export const PROPOSAL_ACTIONS = {
  take: { from: ["proposed"], to: "taken", by: ["patient"] },
  decline: { from: ["proposed"], to: "declined", by: ["patient"] },
  /** Another proposal, a change of the appointment, or a time that is gone. */
  lapse: { from: ["proposed"], to: "lapsed", by: ["doctor", "patient", "admin"] },
} as const satisfies Record<string, { from: readonly ProposalState[]; to: ProposalState; by: readonly Role[] }>;
