import type { EmergencyHospital, EmergencyProblem, EmergencyState } from "#app/db/schema/index.ts";

/**
 * The states of an emergency run (spec 001 §4.5), used by the commands and the page. IDLE means no run. "person": the user of the
 * browser. "system": the search or the timer.
 */
export const EMERGENCY_ACTIONS = {
  press: { from: ["IDLE"], to: "GETTING_LOCATION", by: ["person"] },
  locate: { from: ["GETTING_LOCATION", "ERROR"], to: "FINDING_HOSPITALS", by: ["person"] },
  lose: { from: ["GETTING_LOCATION", "ERROR"], to: "ERROR", by: ["person"] },
  find: { from: ["FINDING_HOSPITALS"], to: "CONTACTING", by: ["system"] },
  fail: { from: ["FINDING_HOSPITALS"], to: "ERROR", by: ["system"] },
  next: { from: ["CONTACTING"], to: "CONTACTING", by: ["system"] },
  finish: { from: ["CONTACTING"], to: "COMPLETED", by: ["system"] },
  stop: { from: ["CONTACTING"], to: "COMPLETED", by: ["person"] },
  startOver: { from: ["GETTING_LOCATION", "FINDING_HOSPITALS", "CONTACTING", "COMPLETED", "ERROR"], to: "IDLE", by: ["person"] },
} as const satisfies Record<string, { from: readonly (EmergencyState | "IDLE")[]; to: EmergencyState | "IDLE"; by: readonly string[] }>;
export type EmergencyAction = keyof typeof EMERGENCY_ACTIONS;

/** Returns the states in which this action is allowed. */
export const statesBefore = (action: EmergencyAction) =>
  EMERGENCY_ACTIONS[action].from.filter((state): state is EmergencyState => state !== "IDLE");

/** Data of a run for its page. */
export type EmergencyView = {
  state: EmergencyState | "IDLE";
  problem: EmergencyProblem | null;
  hospitals: EmergencyHospital[];
  /** Index of the current hospital, from 0. */
  index: number;
  /** Whole seconds until the next one. */
  left: number;
  /** The user has stopped it with "Stop - I've Received Help". */
  stopped: boolean;
};
export const IDLE: EmergencyView = { state: "IDLE", problem: null, hospitals: [], index: 0, left: 0, stopped: false };

/** Spec 001 §9. */
export const CONTACT_SECONDS = 30;
export const MOST_HOSPITALS = 3;
/** Seconds after which an unfinished search is lost: its process has ended. */
const SEARCH_ENDS = 15;

/** Returns the state of a run at an instant: time moves it from one hospital to the next and ends it. */
export function stateAt(
  run: { state: EmergencyState; changedAt: Date; hospitals: readonly unknown[] },
  now: Date,
): { state: EmergencyState; index: number; left: number } {
  const passed = Math.max(0, (now.getTime() - run.changedAt.getTime()) / 1000);
  if (run.state === "FINDING_HOSPITALS" && passed > SEARCH_ENDS) return { state: "ERROR", index: 0, left: 0 };
  if (run.state !== "CONTACTING") return { state: run.state, index: 0, left: 0 };
  const index = Math.floor(passed / CONTACT_SECONDS);
  if (index >= run.hospitals.length) return { state: "COMPLETED", index: 0, left: 0 };
  return { state: "CONTACTING", index, left: Math.ceil(CONTACT_SECONDS * (index + 1) - passed) };
}
