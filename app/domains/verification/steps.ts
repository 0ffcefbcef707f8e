import { m } from "#app/paraglide/messages.js";

/** The three steps of the application, as the wizard names them. */
export const applicationSteps = () => [m.verification_step_hospital(), m.verification_step_professional(), m.verification_step_bank()];
