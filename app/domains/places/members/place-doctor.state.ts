import type { PlaceDoctorState } from "#app/db/schema/index.ts";
import { allows } from "#app/lib/state-table.ts";

export type PlaceDoctorActor = "owner" | "doctor";

/** The states of a doctor at a place, used by pages, commands and the test of every state × action × actor. */
export const PLACE_DOCTOR_ACTIONS = {
  "accept-place": { from: ["claimed"], to: "active", by: ["doctor"] },
  "accept-doctor": { from: ["asked"], to: "active", by: ["owner"] },
  /** Declines, withdraws or removes. */
  end: { from: ["claimed", "asked", "active"], to: "ended", by: ["owner", "doctor"] },
} as const satisfies Record<string, { from: readonly PlaceDoctorState[]; to: PlaceDoctorState; by: readonly PlaceDoctorActor[] }>;

export type PlaceDoctorAction = keyof typeof PLACE_DOCTOR_ACTIONS;

/** Returns true if this actor may take the action on a doctor of a place in this state. */
export const canPlaceDoctor = (action: PlaceDoctorAction, state: PlaceDoctorState, by: PlaceDoctorActor): boolean =>
  allows(PLACE_DOCTOR_ACTIONS[action], state, by);
