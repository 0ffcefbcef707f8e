import { describe, expect, test } from "vitest";
import { ROLES, type Role } from "#app/db/schema/index.ts";
import { REGISTRATION_STATUSES, type RegistrationStatus } from "#app/lib/vocabulary.ts";
import { canVerify, VERIFICATION_ACTIONS, type VerificationAction } from "./verification.state.ts";

// Written by hand from spec 000 §4, with every transition. What is not listed is refused.
const ARROWS: [RegistrationStatus, VerificationAction, Role, RegistrationStatus][] = [
  ["draft", "submit", "doctor", "under review by hospital"],
  ["under review by hospital", "hospital-approve", "reviewer", "pending admin approval"],
  ["under review by hospital", "hospital-reject", "reviewer", "rejected"],
  ["under review by hospital", "return", "admin", "rejected"],
  ["pending admin approval", "approve", "admin", "verified"],
  ["pending admin approval", "reject", "admin", "rejected"],
  ["pending admin approval", "return", "admin", "rejected"],
  ["rejected", "revise", "doctor", "draft"],
  ["verified", "suspend", "admin", "suspended"],
  ["suspended", "reinstate", "admin", "verified"],
];
const ACTIONS: VerificationAction[] = [
  "submit",
  "hospital-approve",
  "hospital-reject",
  "approve",
  "reject",
  "return",
  "revise",
  "suspend",
  "reinstate",
];

test("lists the actions", () => expect(Object.keys(VERIFICATION_ACTIONS).sort()).toEqual([...ACTIONS].sort()));

describe.each(REGISTRATION_STATUSES)("%s", (status) => {
  describe.each(ACTIONS)("%s", (action) => {
    test.each(ROLES)("by %s", (role) => {
      const arrow = ARROWS.find(([from, act, by]) => from === status && act === action && by === role);
      expect(canVerify(action, status, role)).toBe(arrow !== undefined);
      if (arrow) expect(VERIFICATION_ACTIONS[action].to).toBe(arrow[3]);
    });
  });
});

test("requires an administrator for verified, and a reviewer before the administrator", () => {
  const into = (status: RegistrationStatus) => ARROWS.filter(([, , , to]) => to === status).map(([from, , by]) => `${from} by ${by}`);
  expect(into("verified")).toEqual(["pending admin approval by admin", "suspended by admin"]);
  expect(into("pending admin approval")).toEqual(["under review by hospital by reviewer"]);
});
