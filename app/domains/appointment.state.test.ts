import { describe, expect, it } from "vitest";
import { ROLES } from "#app/db/schema/index.ts";
import { APPOINTMENT_STATUSES } from "#app/lib/vocabulary.ts";
import { APPOINTMENT_ACTIONS, type AppointmentAction, canDo, isAppointmentAction } from "./appointment.state.ts";

/** Spec 000 §4 and spec 001 §9, written by hand: every cell that is not listed is refused. */
const ALLOWED = new Set([
  "accept pending doctor",
  "complete accepted doctor",
  "undo-complete completed doctor",
  "move pending doctor",
  "move accepted doctor",
  "cancel pending doctor",
  "cancel accepted doctor",
  "cancel pending patient",
  "cancel accepted patient",
  "cancel pending admin",
  "cancel accepted admin",
  "reschedule pending patient",
  "reschedule accepted patient",
  "take-proposal pending patient",
  "take-proposal accepted patient",
]);

describe("every status × action × role", () => {
  for (const action of Object.keys(APPOINTMENT_ACTIONS) as AppointmentAction[])
    for (const status of APPOINTMENT_STATUSES)
      for (const role of ROLES) {
        const allowed = ALLOWED.has(`${action} ${status} ${role}`);
        it(`${role} ${allowed ? "may" : "may not"} ${action} a visit that is ${status}`, () =>
          expect(canDo(action, status, role)).toBe(allowed));
      }
});

it("knows its actions by name", () => {
  expect(["accept", "undo-complete", "delete", "toString", ""].map(isAppointmentAction)).toEqual([true, true, false, false, false]);
});
