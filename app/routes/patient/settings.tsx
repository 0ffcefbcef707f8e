import { href } from "react-router";
import { CalendarSetting } from "#app/domains/platform/settings/components/calendar-setting.tsx";
import { EmailAddress } from "#app/domains/platform/settings/components/email-address.tsx";
import { LanguageSetting } from "#app/domains/platform/settings/components/language-setting.tsx";
import { NotificationSwitches } from "#app/domains/platform/settings/components/notification-switches.tsx";
import { OwnApps } from "#app/domains/platform/settings/components/own-apps.tsx";
import { OwnSessions } from "#app/domains/platform/settings/components/own-sessions.tsx";
import { PushSetting } from "#app/domains/platform/settings/components/push-setting.tsx";
import { TextSizeSetting } from "#app/domains/platform/settings/components/text-size-setting.tsx";
import { getNotificationEmail } from "#app/domains/platform/settings/notification-email.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Halves } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { readOwnSettings, submitOwnSettings } from "../settings/own-settings.server.ts";
import type { Route } from "./+types/settings.ts";

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  const [settings, address] = await Promise.all([readOwnSettings(context), getNotificationEmail(ctx)]);
  return { ...settings, address };
});

export const action = ({ context, request }: Route.ActionArgs) =>
  submitOwnSettings(request, context, { here: href("/patient/settings"), saved: href("/patient/profile") });

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { email, sms, sessions, apps, push, address } = loaderData;
  return (
    <Page wide title={m.settings_title()} back={{ to: href("/patient/profile") }}>
      <Halves>
        <div>
          {/* First: who cannot read the page looks for it. */}
          <LanguageSetting />
          <div className="mt-7">
            <NotificationSwitches
              saved={{ email, sms }}
              result={actionData?.result}
              hint={address.email ? m.email_hint({ email: address.email }) : m.email_hint_none()}
              always={m.own_settings_always()}
            />
          </div>
          <EmailAddress {...address} />
        </div>
        <div>
          <TextSizeSetting />
          {push && <PushSetting to={href("/patient/settings/push")} />}
          <CalendarSetting to={href("/patient/settings/calendar")} />
          <OwnSessions sessions={sessions} />
          <OwnApps apps={apps} />
        </div>
      </Halves>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_title() }) }];
