import type { OwnApp } from "#app/domains/platform/users/device.ts";
import { formatDate, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";

/** Apps with a token of the user (the API of /docs/api). Posts `intent=revoke-app` and `app`. */
export function OwnApps({ apps }: { apps: OwnApp[] }) {
  return (
    <section className="card mt-7" aria-labelledby="h-apps">
      <h2 id="h-apps">{m.api_apps()}</h2>
      {apps.length === 0 ? (
        <p className="text-ink-soft mt-2">{m.api_apps_none()}</p>
      ) : (
        <>
          <p className="text-ink-soft mt-2 mb-3">{m.api_apps_text()}</p>
          <ul className="space-y-4">
            {apps.map((app) => (
              <App key={app.id} app={app} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function App({ app }: { app: OwnApp }) {
  const [form] = useNadiForm({ id: `app-${app.id}` });
  return (
    <li>
      <b>{app.name || m.api_app_unknown()}</b>
      <p className="text-sm text-ink-soft">
        {m.api_app_since({ since: formatDate(todayInIndia(app.since)), used: formatInstant(app.lastUsed) })}
      </p>
      <Form form={form} className="mt-2">
        <input type="hidden" name="app" value={app.id} />
        <SubmitButton name="intent" value="revoke-app" variant="second" icon="log-out" pendingText={m.api_app_revoking()}>
          {m.api_app_revoke()}
        </SubmitButton>
      </Form>
    </li>
  );
}
