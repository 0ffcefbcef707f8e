import { expect, it } from "vitest";
import { CHANGE_STATUSES, type ChangeStatus, ROLES, type Role } from "#app/db/schema/index.ts";
import { canChange, PROFILE_CHANGE_ACTIONS, type ProfileChangeAction } from "./profile-change.state.ts";

const ALLOWED: [ProfileChangeAction, ChangeStatus, Role][] = [
  ["withdraw", "pending", "doctor"],
  ["approve", "pending", "admin"],
  ["refuse", "pending", "admin"],
];
const cells = (Object.keys(PROFILE_CHANGE_ACTIONS) as ProfileChangeAction[]).flatMap((action) =>
  CHANGE_STATUSES.flatMap((status) => ROLES.map((role) => [action, status, role] as const)),
);

it.each(cells)("%s a change that is %s as %s", (action, status, role) => {
  const allowed = ALLOWED.some((cell) => cell[0] === action && cell[1] === status && cell[2] === role);
  expect(canChange(action, status, role)).toBe(allowed);
});

it("leaves a decided change unchanged", () => {
  for (const { from } of Object.values(PROFILE_CHANGE_ACTIONS)) expect(from).toEqual(["pending"]);
});
