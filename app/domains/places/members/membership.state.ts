import type { MembershipState } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";

/** Who takes an action: an owner of the place, the member, or an administrator (owners only). */
export type MembershipActor = "owner" | "member" | "admin";

/**
 * The states of a membership, used by pages, commands and the test of every state × action × actor. Commands also ensure that an
 * owner remains.
 */
export const MEMBERSHIP_ACTIONS = {
  /** Within seven days, by the user of the invited address. */
  accept: { from: ["invited"], to: "active", by: ["member"] },
  suspend: { from: ["active"], to: "suspended", by: ["owner"] },
  resume: { from: ["suspended"], to: "active", by: ["owner"] },
  /** Revokes an invitation, removes a member, or leaves the place. */
  end: { from: ["invited", "active", "suspended"], to: "ended", by: ["owner", "member", "admin"] },
} as const satisfies Record<string, { from: readonly MembershipState[]; to: MembershipState; by: readonly MembershipActor[] }>;

export type MembershipAction = keyof typeof MEMBERSHIP_ACTIONS;

/** Returns true if this actor may take the action on a membership in this state. */
export const canMember = (action: MembershipAction, state: MembershipState, by: MembershipActor): boolean =>
  allows(MEMBERSHIP_ACTIONS[action], state, by);
