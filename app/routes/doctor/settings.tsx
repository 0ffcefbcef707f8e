import { href, Outlet } from "react-router";
import { CalendarSetting } from "#app/domains/platform/settings/components/calendar-setting.tsx";
import { LanguageSetting } from "#app/domains/platform/settings/components/language-setting.tsx";
import { NotificationSwitches } from "#app/domains/platform/settings/components/notification-switches.tsx";
import { OwnApps } from "#app/domains/platform/settings/components/own-apps.tsx";
import { OwnSessions } from "#app/domains/platform/settings/components/own-sessions.tsx";
import { PushSetting } from "#app/domains/platform/settings/components/push-setting.tsx";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { readOwnSettings, submitOwnSettings } from "../settings/own-settings.server.ts";
import type { Route } from "./+types/settings.ts";

export const loader = load(({ context }: Route.LoaderArgs) => readOwnSettings(context));

export const action = ({ context, request }: Route.ActionArgs) =>
  submitOwnSettings(request, context, { here: href("/doctor/settings"), saved: href("/doctor/settings") });

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { email, sms, sessions, apps, push } = loaderData;
  return (
    <>
      <Page title={m.settings_title()} back={{ to: href("/doctor/profile") }}>
        <NotificationSwitches
          saved={{ email, sms }}
          result={actionData?.result}
          hint={m.settings_email_hint()}
          always={m.settings_always()}
        />
        <section className="card mt-7" aria-labelledby="h-password">
          <h2 id="h-password">{m.settings_password()}</h2>
          <p className="text-ink-soft mb-3">{m.settings_password_text()}</p>
          <LinkButton to={href("/doctor/settings/password")} variant="second" full icon="lock" preventScrollReset>
            {m.settings_change_password()}
          </LinkButton>
        </section>
        <LanguageSetting />
        {push && <PushSetting to={href("/doctor/settings/push")} />}
        <CalendarSetting to={href("/doctor/settings/calendar")} />
        <OwnSessions sessions={sessions} />
        <OwnApps apps={apps} />
        <section className="card mt-7" aria-labelledby="h-security">
          <h2 id="h-security">{m.accounts_security_title()}</h2>
          <p className="text-ink-soft mb-3">{m.accounts_security_text()}</p>
          <LinkButton to={href("/account/security")} variant="second" full icon="lock">
            {m.accounts_security_open()}
          </LinkButton>
        </section>
      </Page>
      <Outlet />
    </>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_title() }) }];
