/** The action of the pages that change the user's own password. */
import type { RouterContextProvider } from "react-router";
import { ChangePasswordSchema } from "#app/domains/platform/accounts/change-password.schema.ts";
import { changePassword } from "#app/domains/platform/accounts/change-password.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";

/** @param settings the page that the dialog was opened from; the user returns to it or goes `on` */
export function submitOwnPassword(request: Request, context: Readonly<RouterContextProvider>, settings: string, on = settings) {
  const ctx = actorCtxOf(context);
  const tokenHash = context.get(sessionContext)?.tokenHash ?? "";
  return submitForm(
    request,
    ChangePasswordSchema,
    async ({ currentPassword, newPassword }) => {
      await changePassword(ctx, { currentPassword, newPassword, tokenHash });
      return redirectWithToast(on, m.settings_password_changed());
    },
    { hide: ["currentPassword", "newPassword", "confirmPassword"] },
  );
}
