import { days } from "#app/lib/durations.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";

/** The tabs of a reviewer's queue with their statuses. */
export const REVIEWER_TABS = {
  waiting: ["under review by hospital"],
  approved: ["pending admin approval", "verified", "suspended"],
  // The doctor corrects it: a draft that was submitted before.
  "sent-back": ["rejected", "draft"],
} as const satisfies Record<string, readonly RegistrationStatus[]>;
export type ReviewerTab = keyof typeof REVIEWER_TABS;
/** Returns the tab of a status. */
export const reviewerTabOf = (status: RegistrationStatus): ReviewerTab =>
  status === "rejected" || status === "draft" ? "sent-back" : status === "under review by hospital" ? "waiting" : "approved";

/** The statuses of the administrator's list in the order of their chips: those that need a decision first. */
export const ADMIN_STATUSES = [
  "pending admin approval",
  "under review by hospital",
  "verified",
  "rejected",
  "suspended",
  "draft",
] as const satisfies readonly RegistrationStatus[];

/** Cases in these statuses need a decision: sorted oldest first, others newest first. */
export const WAITING: readonly RegistrationStatus[] = ["under review by hospital", "pending admin approval"];

/** Filter of a reviewer's list: cases assigned to the reviewer, or unassigned. */
export const WHOSE = ["mine", "unassigned"] as const;
export type Whose = (typeof WHOSE)[number];
/** Filter of the administrator's list. */
export const ASSIGNED = ["assigned", "unassigned"] as const;

/** A case that waits longer in one place is marked as late, and the administrators are notified. */
export const LATE_AFTER = days(3);

/** Sort orders of a list of doctors. Default: waiting cases oldest first. */
export const CASE_SORTS = ["name", "city", "registered", "newest", "oldest"] as const;
export type CaseSort = (typeof CASE_SORTS)[number];
