import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import type { DraftStepName } from "./draft.ts";

/** The three steps of the application, as the wizard names them. */
export const applicationSteps = () => [m.verification_step_hospital(), m.verification_step_professional(), m.verification_step_bank()];

/** Where each step of the application is filled in. */
export const STEP_PATHS: Record<DraftStepName, string> = {
  hospital: pathOf({ page: "application-hospital" }),
  professional: pathOf({ page: "application-professional" }),
  bank: pathOf({ page: "application-bank" }),
};
