import { href } from "react-router";
import type { PushGroup } from "#app/domains/platform/notifications/push-groups.ts";
import { GROUPS_OF } from "#app/domains/platform/notifications/push-groups.ts";
import { PushChoices } from "#app/domains/platform/push/components/push-choices.tsx";
import { PushSwitch, TurnOff } from "#app/domains/platform/push/components/push-switch.tsx";
import { PushFormSchema } from "#app/domains/platform/push/push.schema.ts";
import { addPushBrowser, listPushBrowsers, removePushBrowser } from "#app/domains/platform/push/subscriptions.server.ts";
import { deviceWord } from "#app/domains/platform/settings/components/device-word.ts";
import { getSettings } from "#app/domains/platform/settings/queries.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { areaIn, sessionHashOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/push.ts";

const groupsOf = (area: "patient" | "doctor"): readonly PushGroup[] => GROUPS_OF[area];

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  const area = areaIn(context, "patient", "doctor");
  const browsers = await listPushBrowsers(ctx, sessionHashOf(context));
  const { push } = await getSettings(ctx);
  return {
    area,
    browsers,
    choices: groupsOf(area).map((group) => ({ group, on: push[group] })),
    serverKey: env().push?.publicKey ?? "",
  };
});

export const action = submitOwn(PushFormSchema, async (ctx, input, { context, request }: Route.ActionArgs) => {
  const area = areaIn(context, "patient", "doctor");
  const here = area === "doctor" ? href("/doctor/settings/push") : href("/patient/settings/push");
  switch (input.intent) {
    case "choose":
      await saveSettings(ctx, "push", Object.fromEntries(groupsOf(area).map((group) => [group, input[group]])));
      return redirectWithToast(here, m.push_saved());
    case "on":
      await addPushBrowser(ctx, sessionHashOf(context), input, request.headers.get("user-agent") ?? "");
      return redirectWithToast(here, m.push_turned_on());
    case "off":
      await removePushBrowser(ctx, input.browser);
      return redirectWithToast(here, m.push_turned_off());
  }
});

/** The notifications that the browsers of a patient or doctor show while Nadi is closed. */
export default function Push({ loaderData: { area, browsers, choices, serverKey }, actionData }: Route.ComponentProps) {
  const back = area === "doctor" ? href("/doctor/settings") : href("/patient/settings");
  const current = browsers.find((browser) => browser.current);
  const others = browsers.filter((browser) => browser !== current);
  return (
    <Page title={m.push_title()} back={{ to: back, label: m.settings_title() }}>
      <p>{m.push_text()}</p>
      <PushSwitch serverKey={serverKey} current={current?.id ?? null} refused={actionData?.result.status === "error"} />
      <PushChoices choices={choices} doctor={area === "doctor"} />
      {others.length > 0 && (
        <section className="card mt-7" aria-labelledby="h-others">
          <h2 id="h-others" className="mb-3">
            {m.push_devices()}
          </h2>
          <ul className="space-y-4">
            {others.map(({ id, device, since }) => (
              <li key={id} className="row flex-wrap">
                <p className="grow">
                  <b>{deviceWord(device)}</b> <span className="text-sm text-ink-soft">{m.push_since({ at: formatInstant(since) })}</span>
                </p>
                <TurnOff browser={id} of={deviceWord(device)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Note tone="info" icon="lock" className="mt-7">
        <p>{m.push_privacy()}</p>
      </Note>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.push_title() }) }];
