import { expect, it } from "vitest";
import { REVIEW_STATUSES, type ReviewStatus, ROLES, type Role } from "#app/db/schema/index.ts";
import {
  canReview,
  EDIT_TIME,
  isEditable,
  isReplyShown,
  mayReply,
  mayShowReply,
  REVIEW_ACTIONS,
  type Reply,
  type ReviewAction,
} from "./review.state.ts";

const ALLOWED: [ReviewAction, ReviewStatus, Role][] = [
  ["edit", "shown", "patient"],
  ["withdraw", "shown", "patient"],
  ["withdraw", "hidden", "patient"],
  ["hide", "shown", "admin"],
  ["keep", "shown", "admin"],
  ["show", "hidden", "admin"],
];
const cells = (Object.keys(REVIEW_ACTIONS) as ReviewAction[]).flatMap((action) =>
  REVIEW_STATUSES.flatMap((status) => ROLES.map((role) => [action, status, role] as const)),
);

it.each(cells)("%s a review that is %s as %s", (action, status, role) => {
  const allowed = ALLOWED.some((cell) => cell[0] === action && cell[1] === status && cell[2] === role);
  expect(canReview(action, status, role)).toBe(allowed);
});

it("can be edited for thirty days, to the millisecond", () => {
  const createdAt = new Date("2026-11-01T10:00:00Z");
  const at = (ms: number) => new Date(createdAt.getTime() + ms);
  expect(EDIT_TIME).toBe(30 * 86_400_000);
  expect(isEditable(at(EDIT_TIME - 1), { status: "shown", createdAt })).toBe(true);
  expect(isEditable(at(EDIT_TIME), { status: "shown", createdAt })).toBe(false);
  expect(isEditable(at(0), { status: "hidden", createdAt })).toBe(false);
  expect(isEditable(at(0), { status: "withdrawn", createdAt })).toBe(false);
});

it.each([
  ["no reply", { status: "shown", reply: null, replyHiddenReason: null }, [true, false, false]],
  ["a reply", { status: "shown", reply: "Thanks", replyHiddenReason: null }, [true, true, false]],
  ["a hidden reply", { status: "shown", reply: "Thanks", replyHiddenReason: "insult" }, [false, false, true]],
  ["a hidden review", { status: "hidden", reply: "Thanks", replyHiddenReason: null }, [false, true, false]],
  ["a reason without a reply", { status: "shown", reply: null, replyHiddenReason: "insult" }, [false, false, false]],
] as [string, Reply, boolean[]][])("a doctor may reply, the reply is shown, it may be shown again: %s", (_, review, expected) => {
  expect([mayReply(review), isReplyShown(review), mayShowReply(review)]).toEqual(expected);
});
