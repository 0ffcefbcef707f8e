import type { ReviewStatus, Role } from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";

/** How long after writing it the author may still change a review. Taking it back has no end. */
export const EDIT_TIME = days(30);

/**
 * The life of a review as data: read by the pages, the commands and the test that walks every status × action × role. Whose
 * review it is, and until when it may be edited, is asked in the command. `keep` answers reports and leaves it shown.
 */
export const REVIEW_ACTIONS = {
  edit: { from: ["shown"], to: "shown", by: ["patient"] },
  "take-back": { from: ["shown", "hidden"], to: "withdrawn", by: ["patient"] },
  hide: { from: ["shown"], to: "hidden", by: ["admin"] },
  keep: { from: ["shown"], to: "shown", by: ["admin"] },
  show: { from: ["hidden"], to: "shown", by: ["admin"] },
} as const satisfies Record<string, { from: readonly ReviewStatus[]; to: ReviewStatus; by: readonly Role[] }>;

export type ReviewAction = keyof typeof REVIEW_ACTIONS;

/** May someone of this role do this to a review in this status? */
export function canReview(action: ReviewAction, status: ReviewStatus, role: Role): boolean {
  const rule = REVIEW_ACTIONS[action];
  return (rule.from as readonly ReviewStatus[]).includes(status) && (rule.by as readonly Role[]).includes(role);
}

/** May the author still change it? */
export const isEditable = (now: Date, review: { status: ReviewStatus; createdAt: Date }) =>
  canReview("edit", review.status, "patient") && now.getTime() < review.createdAt.getTime() + EDIT_TIME;
