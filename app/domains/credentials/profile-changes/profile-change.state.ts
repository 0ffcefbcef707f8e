import type { ChangeStatus, Role } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";

/**
 * The states of a change to a verified field, used by pages, commands and the test of every status × action × role. Commands
 * check ownership and refuse decisions about the actor's own changes.
 */
export const PROFILE_CHANGE_ACTIONS = {
  withdraw: { from: ["pending"], to: "withdrawn", by: ["doctor"] },
  approve: { from: ["pending"], to: "approved", by: ["admin"] },
  refuse: { from: ["pending"], to: "refused", by: ["admin"] },
} as const satisfies Record<string, { from: readonly ChangeStatus[]; to: ChangeStatus; by: readonly Role[] }>;

export type ProfileChangeAction = keyof typeof PROFILE_CHANGE_ACTIONS;

/** Returns true if this role may take the action on a change in this status. */
export const canChange = (action: ProfileChangeAction, status: ChangeStatus, role: Role): boolean =>
  allows(PROFILE_CHANGE_ACTIONS[action], status, role);
