import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import type { DraftStepName } from "./draft.ts";

/** Returns the names of the three steps of the application. */
export const applicationSteps = () => [m.application_step_hospital(), m.application_step_professional(), m.application_step_bank()];

/** The page of each step. */
export const STEP_PATHS: Record<DraftStepName, string> = {
  hospital: pathOf({ page: "application-hospital" }),
  professional: pathOf({ page: "application-professional" }),
  bank: pathOf({ page: "application-bank" }),
};
