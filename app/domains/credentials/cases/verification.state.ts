import type { Role } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";

/**
 * The states of a doctor's verification (spec 000 §4), used by pages, commands and the test of every status × action × role.
 * `notifies` lists the recipients.
 */
export const VERIFICATION_ACTIONS = {
  submit: { from: ["draft"], to: "under review by hospital", by: ["doctor"], notifies: ["doctor", "reviewers"] },
  "hospital-approve": {
    from: ["under review by hospital"],
    to: "pending admin approval",
    by: ["reviewer"],
    notifies: ["doctor", "admins"],
  },
  "hospital-reject": { from: ["under review by hospital"], to: "rejected", by: ["reviewer"], notifies: ["doctor"] },
  /** By another person than the one who approved for the hospital. */
  approve: { from: ["pending admin approval"], to: "verified", by: ["admin"], notifies: ["doctor"] },
  reject: { from: ["pending admin approval"], to: "rejected", by: ["admin"], notifies: ["doctor"] },
  /** "Re-submit Verification": the doctor corrects the values given before. */
  revise: { from: ["rejected"], to: "draft", by: ["doctor"], notifies: [] },
  /** Their hospital was refused, so the doctor has to choose another. */
  return: { from: ["under review by hospital", "pending admin approval"], to: "rejected", by: ["admin"], notifies: ["doctor"] },
  suspend: { from: ["verified"], to: "suspended", by: ["admin"], notifies: ["doctor"] },
  reinstate: { from: ["suspended"], to: "verified", by: ["admin"], notifies: ["doctor"] },
} as const satisfies Record<
  string,
  {
    from: readonly RegistrationStatus[];
    to: RegistrationStatus;
    by: readonly Role[];
    notifies: readonly ("doctor" | "reviewers" | "admins")[];
  }
>;

export type VerificationAction = keyof typeof VERIFICATION_ACTIONS;

/**
 * Returns true if this role may take the action on a doctor in this status. Commands check the hospital and who decided before.
 */
export const canVerify = (action: VerificationAction, status: RegistrationStatus, role: Role): boolean =>
  allows(VERIFICATION_ACTIONS[action], status, role);
