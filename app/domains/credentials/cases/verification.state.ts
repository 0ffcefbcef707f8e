import type { RegistrationStatus, Role } from "#app/db/schema/index.ts";

/**
 * A doctor's way to being verified, as data (spec 000 §4), read by the pages, the commands and the test that
 * walks every status × action × role. Who is told stands in `tells`.
 */
export const VERIFICATION_ACTIONS = {
  submit: { from: ["draft"], to: "under review by hospital", by: ["doctor"], tells: ["doctor", "reviewers"] },
  "hospital-approve": { from: ["under review by hospital"], to: "pending admin approval", by: ["reviewer"], tells: ["doctor", "admins"] },
  "hospital-reject": { from: ["under review by hospital"], to: "rejected", by: ["reviewer"], tells: ["doctor"] },
  /** By another person than the one who approved for the hospital. */
  approve: { from: ["pending admin approval"], to: "verified", by: ["admin"], tells: ["doctor"] },
  reject: { from: ["pending admin approval"], to: "rejected", by: ["admin"], tells: ["doctor"] },
  /** "Re-submit Verification": everything given before is there again to be mended. */
  revise: { from: ["rejected"], to: "draft", by: ["doctor"], tells: [] },
  /** Their hospital was refused, so nobody can review them there: back to the doctor, who chooses another. */
  return: { from: ["under review by hospital", "pending admin approval"], to: "rejected", by: ["admin"], tells: ["doctor"] },
  suspend: { from: ["verified"], to: "suspended", by: ["admin"], tells: ["doctor"] },
  reinstate: { from: ["suspended"], to: "verified", by: ["admin"], tells: ["doctor"] },
} as const satisfies Record<
  string,
  {
    from: readonly RegistrationStatus[];
    to: RegistrationStatus;
    by: readonly Role[];
    tells: readonly ("doctor" | "reviewers" | "admins")[];
  }
>;

export type VerificationAction = keyof typeof VERIFICATION_ACTIONS;

/** May someone of this role do this to a doctor in this status? Whose hospital it is, and who decided before, is asked in the command. */
export function canVerify(action: VerificationAction, status: RegistrationStatus, role: Role): boolean {
  const rule = VERIFICATION_ACTIONS[action];
  return (rule.from as readonly RegistrationStatus[]).includes(status) && (rule.by as readonly Role[]).includes(role);
}
