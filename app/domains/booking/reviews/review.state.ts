import type { ReviewStatus, Role } from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";
import { allows } from "#app/lib/state-table.ts";

/** How long an author may edit a review. Deleting it is always allowed. */
export const EDIT_TIME = days(30);

/**
 * The states of a review, used by pages, commands and the test of every status × action × role. Commands check ownership and the
 * time limit. `keep` closes reports and leaves the review visible.
 */
export const REVIEW_ACTIONS = {
  edit: { from: ["shown"], to: "shown", by: ["patient"] },
  withdraw: { from: ["shown", "hidden"], to: "withdrawn", by: ["patient"] },
  hide: { from: ["shown"], to: "hidden", by: ["admin"] },
  keep: { from: ["shown"], to: "shown", by: ["admin"] },
  show: { from: ["hidden"], to: "shown", by: ["admin"] },
} as const satisfies Record<string, { from: readonly ReviewStatus[]; to: ReviewStatus; by: readonly Role[] }>;

export type ReviewAction = keyof typeof REVIEW_ACTIONS;

/** Returns true if this role may take the action on a review in this status. */
export const canReview = (action: ReviewAction, status: ReviewStatus, role: Role): boolean => allows(REVIEW_ACTIONS[action], status, role);

/** The states of a doctor's reply: only a shown review has one. */
export type Reply = { status: ReviewStatus; reply: string | null; replyHiddenReason: string | null };
/** A hidden reply is not written again: the doctor could undo the administrator's decision. */
export const mayReply = ({ status, replyHiddenReason }: Reply) => status === "shown" && replyHiddenReason === null;
export const isReplyShown = ({ reply, replyHiddenReason }: Reply) => reply !== null && replyHiddenReason === null;

export const mayShowReply = ({ reply, replyHiddenReason }: Reply) => reply !== null && replyHiddenReason !== null;

/** Returns true while the author may edit the review. */
export const isEditable = (now: Date, review: { status: ReviewStatus; createdAt: Date }) =>
  canReview("edit", review.status, "patient") && now.getTime() < review.createdAt.getTime() + EDIT_TIME;
