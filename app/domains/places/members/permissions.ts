import type { MemberRole } from "#app/lib/vocabulary.ts";

/** What a member of a place may do. Medical records belong to no permission: only the doctor opens them. */
export const PERMISSIONS = [
  "see-place",
  "manage-staff",
  "manage-doctors",
  /** Times, names, phones and payment states of appointments. */
  "see-agenda",
  /** Book for a caller, accept, move and cancel. */
  "change-appointments",
  "run-queue",
  "take-payment",
  /** Add the result of an order of tests, by the code on the order. Opens nothing. */
  "add-results",
  /** Payments, takings and settlements. */
  "see-takings",
  /** Waits, consultation times and missed appointments of the place's queues. */
  "see-figures",
  /** Bring patients and appointments from a file, undo it, and take them away. */
  "move-data",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const ROLE_PERMISSIONS: Record<MemberRole, readonly Permission[]> = {
  owner: PERMISSIONS,
  reception: ["see-place", "see-agenda", "change-appointments", "run-queue", "take-payment", "add-results"],
  billing: ["see-place", "take-payment", "see-takings"],
  // Not offered yet.
  manager: [],
  nurse: [],
};

/** Returns true if the role has the permission. */
export const hasPermission = (role: MemberRole, permission: Permission): boolean => ROLE_PERMISSIONS[role].includes(permission);
