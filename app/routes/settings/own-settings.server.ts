/** Loader and action of the settings pages of patients and doctors. */
import type { RouterContextProvider } from "react-router";
import { listOwnApps, revokeOwnApp } from "#app/domains/platform/accounts/own-apps.server.ts";
import { endOtherSessions, listOwnSessions } from "#app/domains/platform/accounts/own-sessions.server.ts";
import { getSettings } from "#app/domains/platform/settings/queries.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { SettingsFormSchema } from "#app/domains/platform/settings/settings.schema.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { textSizeCookie } from "#app/http/text-size.server.ts";
import { m } from "#app/paraglide/messages.js";

type Context = Readonly<RouterContextProvider>;
const tokenHashOf = (context: Context) => context.get(sessionContext)?.tokenHash ?? "";

export async function readOwnSettings(context: Context) {
  const ctx = actorCtxOf(context);
  const [{ notifications }, sessions, apps] = await Promise.all([
    getSettings(ctx),
    listOwnSessions(ctx, tokenHashOf(context)),
    listOwnApps(ctx),
  ]);
  return { email: notifications.email, sms: notifications.sms, sessions, apps, push: ctx.integrations.push !== null };
}

/** `here`: the page itself; `saved`: the page after saving. */
export function submitOwnSettings(request: Request, context: Context, { here, saved }: { here: string; saved: string }) {
  const ctx = actorCtxOf(context);
  return submitForm(request, SettingsFormSchema, async (input) => {
    switch (input.intent) {
      case "save":
        await saveSettings(ctx, "notifications", { email: input.email, sms: input.sms });
        return redirectWithToast(saved, m.settings_saved());
      case "text-size":
        return redirectTo(here, { cookies: [textSizeCookie(input.size === "larger")] });
      case "revoke-app":
        await revokeOwnApp(ctx, input.app);
        return redirectWithToast(here, m.api_app_revoked());
      case "end-others":
        await endOtherSessions(ctx, tokenHashOf(context));
        return redirectWithToast(here, m.settings_sessions_ended());
    }
  });
}
