import { describe, expect, it } from "vitest";
import { MEMBERSHIP_STATES, PLACE_DOCTOR_STATES } from "#app/db/schema/index.ts";
import { MEMBER_ROLES } from "#app/lib/vocabulary.ts";
import { canMember, MEMBERSHIP_ACTIONS, type MembershipAction } from "./membership.state.ts";
import { hasPermission, PERMISSIONS } from "./permissions.ts";
import { canPlaceDoctor, PLACE_DOCTOR_ACTIONS, type PlaceDoctorAction } from "./place-doctor.state.ts";

/** Written by hand: every cell that is not listed is refused. */
const MEMBER_ALLOWED = new Set([
  "accept invited member",
  "suspend active owner",
  "resume suspended owner",
  ...["owner", "member", "admin"].flatMap((by) => ["invited", "active", "suspended"].map((state) => `end ${state} ${by}`)),
]);
describe("a membership: every state × action × actor", () => {
  for (const action of Object.keys(MEMBERSHIP_ACTIONS) as MembershipAction[])
    for (const state of MEMBERSHIP_STATES)
      for (const by of ["owner", "member", "admin"] as const) {
        const allowed = MEMBER_ALLOWED.has(`${action} ${state} ${by}`);
        it(`${by} ${allowed ? "may" : "may not"} ${action} while ${state}`, () => expect(canMember(action, state, by)).toBe(allowed));
      }
});

const DOCTOR_ALLOWED = new Set([
  "accept-place claimed doctor",
  "accept-doctor asked owner",
  ...["owner", "doctor"].flatMap((by) => ["claimed", "asked", "active"].map((state) => `end ${state} ${by}`)),
]);
describe("a doctor at a place: every state × action × actor", () => {
  for (const action of Object.keys(PLACE_DOCTOR_ACTIONS) as PlaceDoctorAction[])
    for (const state of PLACE_DOCTOR_STATES)
      for (const by of ["owner", "doctor"] as const) {
        const allowed = DOCTOR_ALLOWED.has(`${action} ${state} ${by}`);
        it(`${by} ${allowed ? "may" : "may not"} ${action} while ${state}`, () => expect(canPlaceDoctor(action, state, by)).toBe(allowed));
      }
});

/** Written by hand. */
const GRANTED: Record<(typeof MEMBER_ROLES)[number], string> = {
  owner:
    "see-place manage-staff manage-doctors see-agenda change-appointments run-queue take-payment add-results see-takings see-figures move-data",
  reception: "see-place see-agenda change-appointments run-queue take-payment add-results",
  billing: "see-place take-payment see-takings",
  manager: "",
  nurse: "",
};
describe("permissions: every role × permission", () => {
  for (const role of MEMBER_ROLES)
    for (const permission of PERMISSIONS) {
      const granted = GRANTED[role].split(" ").includes(permission);
      it(`${role} ${granted ? "may" : "may not"} ${permission}`, () => expect(hasPermission(role, permission)).toBe(granted));
    }
});
