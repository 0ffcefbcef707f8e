import type { RegistrationStatus } from "#app/db/schema/index.ts";

/** The tabs of a reviewer's queue, and the statuses behind each. */
export const REVIEWER_TABS = {
  waiting: ["under review by hospital"],
  approved: ["pending admin approval", "verified", "suspended"],
  // The doctor corrects it: a draft that was submitted before.
  "sent-back": ["rejected", "draft"],
} as const satisfies Record<string, readonly RegistrationStatus[]>;
export type ReviewerTab = keyof typeof REVIEWER_TABS;
/** Where in the queue a case in this status stands. */
export const reviewerTabOf = (status: RegistrationStatus): ReviewerTab =>
  status === "rejected" || status === "draft" ? "sent-back" : status === "under review by hospital" ? "waiting" : "approved";

/** The statuses of the administrator's list in the order of their chips: what waits for a decision first. */
export const ADMIN_STATUSES = [
  "pending admin approval",
  "under review by hospital",
  "verified",
  "rejected",
  "suspended",
  "draft",
] as const satisfies readonly RegistrationStatus[];

/** Cases in these statuses wait for somebody, oldest first; the others are listed newest first. */
export const WAITING: readonly RegistrationStatus[] = ["under review by hospital", "pending admin approval"];

/** How a list of doctors may be sorted; without a choice those that wait come oldest first. */
export const CASE_SORTS = ["name", "newest", "oldest"] as const;
export type CaseSort = (typeof CASE_SORTS)[number];
