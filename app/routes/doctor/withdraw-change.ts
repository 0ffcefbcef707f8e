import { href } from "react-router";
import { WithdrawSchema } from "#app/domains/credentials/profile-changes/profile.schema.ts";
import { withdrawChange } from "#app/domains/credentials/profile-changes/withdraw-change.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/withdraw-change.ts";

const BACK = href("/doctor/profile-view");
export const loader = () => redirectTo(BACK);

/** Withdraws a waiting change. The next page shows its status, also when an administrator decided first. */
export function action({ context, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = WithdrawSchema.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    try {
      await withdrawChange(actorCtxOf(context), posted.data.change);
      return redirectWithToast(BACK, m.profile_withdrawn());
    } catch (error) {
      if (error instanceof DomainError && error.code === "conflict" && error.sentence)
        return redirectWithToast(BACK, error.sentence, { type: "warning" });
      throw error;
    }
  });
}
