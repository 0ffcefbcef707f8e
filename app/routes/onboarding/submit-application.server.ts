import { href } from "react-router";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Writer } from "#app/domains/credentials/application/draft-store.server.ts";
import { STEP_PATHS } from "#app/domains/credentials/application/steps.ts";
import { type MissingStep, submitVerification } from "#app/domains/credentials/application/submit-verification.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";

/**
 * Submits the acting doctor's application and leads to its status, or to the step where something is missing.
 * @throws DomainError for what the page shows above its form
 */
export async function submitApplication(ctx: Ctx<Actor>, writer: Writer): Promise<Response> {
  try {
    await submitVerification(ctx, writer);
  } catch (error) {
    if (!(error instanceof DomainError)) {
      // The log has the cause. The draft is stored, so the doctor can submit again.
      const fault = noteFault(error, "verification submission");
      throw fault ?? new DomainError("unavailable", m.application_submit_failed(), { cause: error });
    }
    // Another window has removed something: on to its step, with what is missing. This step is stored.
    const step = (error.detail as MissingStep | undefined)?.step;
    if (step === "hospital" || step === "professional")
      return redirectWithToast(STEP_PATHS[step], error.sentence ?? m.error_invalid(), { type: "error" });
    throw error;
  }
  return redirectWithToast(href("/doctor-verify"), m.application_submitted(), { stays: true });
}
