import { Outlet } from "react-router";
import { z } from "zod";
import { endOtherSessions, listOwnSessions } from "#app/domains/accounts/own-sessions.server.ts";
import { getSettings } from "#app/domains/settings/queries.server.ts";
import { saveSettings } from "#app/domains/settings/save-settings.server.ts";
import { NotificationSettingsSchema } from "#app/domains/settings/settings.schema.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Checkbox, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/settings.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [{ notifications }, sessions] = await Promise.all([getSettings(ctx), listOwnSessions(ctx, tokenHashOf(context))]);
  return { email: notifications.email, sms: notifications.sms, sessions };
});

const tokenHashOf = (context: Route.LoaderArgs["context"]) => context.get(sessionContext)?.tokenHash ?? "";

const Intent = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), ...NotificationSettingsSchema.shape }),
  z.object({ intent: z.literal("end-others") }),
]);

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, Intent, async (input) => {
    if (input.intent === "save") {
      await saveSettings(ctx, "notifications", { email: input.email, sms: input.sms });
      return redirectWithToast("/doctor/settings", m.settings_saved());
    }
    await endOtherSessions(ctx, tokenHashOf(context));
    return redirectWithToast("/doctor/settings", m.settings_sessions_ended());
  });
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { email, sms } = loaderData;
  const [form, fields] = useNadiForm<{ email: boolean; sms: boolean }>({
    id: "settings",
    lastResult: actionData?.result,
    defaultValue: { email: email ? "on" : "", sms: sms ? "on" : "" },
  });
  return (
    <>
      <Page title={m.settings_title()} back={{ to: "/doctor/profile" }}>
        <section className="card" aria-labelledby="h-notifications">
          <h2 id="h-notifications">{m.settings_notifications()}</h2>
          <Form form={form}>
            <Checkbox field={fields.email} label={<Toggle name={m.settings_email()} hint={m.settings_email_hint()} />} />
            <Checkbox field={fields.sms} label={<Toggle name={m.settings_sms()} hint={m.settings_sms_hint()} />} />
            <p className="small soft mt mb">{m.settings_always()}</p>
            <SubmitButton name="intent" value="save" full pendingText={m.settings_saving()}>
              {m.settings_save()}
            </SubmitButton>
          </Form>
        </section>
        <section className="card section" aria-labelledby="h-password">
          <h2 id="h-password">{m.settings_password()}</h2>
          <p className="soft mb">{m.settings_password_text()}</p>
          <LinkButton to="/doctor/settings/password" variant="second" full icon="lock" preventScrollReset>
            {m.settings_change_password()}
          </LinkButton>
        </section>
        <Sessions sessions={loaderData.sessions} />
      </Page>
      <Outlet />
    </>
  );
}

const Toggle = ({ name, hint }: { name: string; hint: string }) => (
  <>
    <b>{name}</b>
    <span className="hint">{hint}</span>
  </>
);

function Sessions({ sessions: { rows, total } }: { sessions: Route.ComponentProps["loaderData"]["sessions"] }) {
  const [form] = useNadiForm({ id: "sessions" });
  return (
    <section className="card section" aria-labelledby="h-sessions">
      <h2 id="h-sessions" className="mb">
        {m.settings_sessions()}
      </h2>
      <ul className="stack">
        {rows.map(({ device, since, current }) => (
          <li key={`${since.getTime()} ${current}`}>
            <p className="row wrap">
              <b>
                {device.browser && device.system
                  ? m.settings_device({ browser: device.browser, system: device.system })
                  : (device.browser ?? device.system ?? m.settings_device_unknown())}
              </b>
              {current && (
                <Badge tone="ok" icon="check">
                  {m.settings_session_here()}
                </Badge>
              )}
            </p>
            <p className="small soft">{m.settings_session_since({ at: formatInstant(since) })}</p>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className="small soft mt">{m.settings_sessions_more({ shown: String(rows.length), total: String(total) })}</p>
      )}
      <Form form={form} className="section tight">
        {total > 1 ? (
          <SubmitButton name="intent" value="end-others" variant="second" full icon="log-out" pendingText={m.settings_sessions_ending()}>
            {m.settings_sessions_end()}
          </SubmitButton>
        ) : (
          <p className="soft small">{m.settings_sessions_only()}</p>
        )}
      </Form>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_title() }) }];
