import { describe, expect, it } from "vitest";
import { ROLES } from "#app/db/schema/index.ts";
import { SUPPORT_STATES } from "#app/lib/vocabulary.ts";
import { canSupport, SUPPORT_ACTIONS, type SupportAction } from "./support.state.ts";

/** Written by hand: every cell that is not listed is refused. `user`: a patient, doctor, reviewer or member of staff. */
const ALLOWED = new Set([
  "reply open user",
  "reply answered user",
  "reopen closed user",
  "answer open admin",
  "answer answered admin",
  "answer closed admin",
  "close open user",
  "close answered user",
  "close open admin",
  "close answered admin",
]);

describe("every state × action × role", () => {
  for (const action of Object.keys(SUPPORT_ACTIONS) as SupportAction[])
    for (const state of SUPPORT_STATES)
      for (const role of ROLES) {
        const allowed = ALLOWED.has(`${action} ${state} ${role === "admin" ? role : "user"}`);
        it(`${role} ${allowed ? "may" : "may not"} ${action} a thread that is ${state}`, () =>
          expect(canSupport(action, state, role)).toBe(allowed));
      }
});
