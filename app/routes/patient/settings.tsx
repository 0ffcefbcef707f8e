import { listOwnApps, revokeOwnApp } from "#app/domains/accounts/own-apps.server.ts";
import { endOtherSessions, listOwnSessions } from "#app/domains/accounts/own-sessions.server.ts";
import { LanguageSetting } from "#app/domains/settings/components/language-setting.tsx";
import { NotificationSwitches } from "#app/domains/settings/components/notification-switches.tsx";
import { OwnApps } from "#app/domains/settings/components/own-apps.tsx";
import { OwnSessions } from "#app/domains/settings/components/own-sessions.tsx";
import { getSettings } from "#app/domains/settings/queries.server.ts";
import { saveSettings } from "#app/domains/settings/save-settings.server.ts";
import { SettingsFormSchema } from "#app/domains/settings/settings.schema.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/settings.ts";

export const handle = { form: true } satisfies PageHandle;
export const middleware = [requireRole("patient")];

const tokenHashOf = (context: Route.LoaderArgs["context"]) => context.get(sessionContext)?.tokenHash ?? "";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [{ notifications }, sessions, apps] = await Promise.all([
    getSettings(ctx),
    listOwnSessions(ctx, tokenHashOf(context)),
    listOwnApps(ctx),
  ]);
  return { email: notifications.email, sms: notifications.sms, sessions, apps };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, SettingsFormSchema, async (input) => {
    if (input.intent === "save") {
      await saveSettings(ctx, "notifications", { email: input.email, sms: input.sms });
      return redirectWithToast("/patient/profile", m.settings_saved());
    }
    if (input.intent === "revoke-app") {
      await revokeOwnApp(ctx, input.app);
      return redirectWithToast("/patient/settings", m.api_app_revoked());
    }
    await endOtherSessions(ctx, tokenHashOf(context));
    return redirectWithToast("/patient/settings", m.settings_sessions_ended());
  });
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { email, sms, sessions } = loaderData;
  return (
    <Page title={m.settings_title()} back={{ to: "/patient/profile" }}>
      <NotificationSwitches
        saved={{ email, sms }}
        result={actionData?.result}
        hint={m.own_settings_email_hint()}
        always={m.own_settings_always()}
      />
      <LanguageSetting />
      <OwnSessions sessions={sessions} />
      <OwnApps apps={loaderData.apps} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_title() }) }];
