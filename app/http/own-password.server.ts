/** The action of the pages that change the user's own password. */
import type { RouterContextProvider } from "react-router";
import { ChangePasswordSchema } from "#app/domains/platform/accounts/change-password.schema.ts";
import { changePassword } from "#app/domains/platform/accounts/change-password.server.ts";
import { m } from "#app/paraglide/messages.js";
import { actorCtxOf, sessionContext } from "./context.ts";
import { redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

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
