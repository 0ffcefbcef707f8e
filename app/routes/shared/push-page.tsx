import { PushChoices } from "#app/domains/platform/push/components/push-choices.tsx";
import { PushSwitch, TurnOff } from "#app/domains/platform/push/components/push-switch.tsx";
import type { PushBrowser } from "#app/domains/platform/push/subscriptions.server.ts";
import { deviceWord } from "#app/domains/platform/settings/components/device-word.ts";
import type { PushGroup } from "#app/domains/platform/settings/settings.ts";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";

type Props = {
  browsers: PushBrowser[];
  choices: { group: PushGroup; on: boolean }[];
  serverKey: string;
  result: FormAnswer["result"] | undefined;
  back: "/patient/settings" | "/doctor/settings";
};

/** The notifications that the browsers of a patient or doctor show while Nadi is closed. */
export function PushPage({ browsers, choices, serverKey, result, back }: Props) {
  const current = browsers.find((browser) => browser.current);
  const others = browsers.filter((browser) => browser !== current);
  return (
    <Page title={m.push_title()} back={{ to: back, label: m.settings_title() }}>
      <p>{m.push_text()}</p>
      <PushSwitch serverKey={serverKey} current={current?.id ?? null} refused={result?.status === "error"} />
      <PushChoices choices={choices} doctor={back === "/doctor/settings"} />
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
