import type { ChangeStatus, Role } from "#app/db/schema/index.ts";

/**
 * A change of something verified, as data: read by the pages, the commands and the test that walks every
 * status × action × role. Whose change it is, and that nobody decides about themselves, is asked in the command.
 */
export const PROFILE_CHANGE_ACTIONS = {
  withdraw: { from: ["pending"], to: "withdrawn", by: ["doctor"] },
  approve: { from: ["pending"], to: "approved", by: ["admin"] },
  refuse: { from: ["pending"], to: "refused", by: ["admin"] },
} as const satisfies Record<string, { from: readonly ChangeStatus[]; to: ChangeStatus; by: readonly Role[] }>;

export type ProfileChangeAction = keyof typeof PROFILE_CHANGE_ACTIONS;

/** May someone of this role do this to a change in this status? */
export function canChange(action: ProfileChangeAction, status: ChangeStatus, role: Role): boolean {
  const rule = PROFILE_CHANGE_ACTIONS[action];
  return (rule.from as readonly ChangeStatus[]).includes(status) && (rule.by as readonly Role[]).includes(role);
}
