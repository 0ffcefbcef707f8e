import type { OwnSession } from "#app/domains/platform/users/device.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { deviceWord } from "./device-word.ts";

/** The user's sessions, with a button to end all others: posts `intent=end-others`. */
export function OwnSessions({ sessions: { rows, total } }: { sessions: { rows: OwnSession[]; total: number } }) {
  const [form] = useNadiForm({ id: "sessions" });
  return (
    <section className="card mt-7" aria-labelledby="h-sessions">
      <h2 id="h-sessions" className="mb-3">
        {m.settings_sessions()}
      </h2>
      <ul className="space-y-4">
        {rows.map(({ device, since, current }) => (
          <li key={`${since.getTime()} ${current}`}>
            <p className="row flex-wrap">
              <b>{deviceWord(device)}</b>
              {current && (
                <Badge tone="ok" icon="check">
                  {m.settings_session_here()}
                </Badge>
              )}
            </p>
            <p className="text-sm text-ink-soft">{m.settings_session_since({ at: formatInstant(since) })}</p>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className="text-sm text-ink-soft mt-2">{m.settings_sessions_more({ shown: String(rows.length), total: String(total) })}</p>
      )}
      <Form form={form} className="mt-4">
        {total > 1 ? (
          <SubmitButton name="intent" value="end-others" variant="second" full icon="log-out" pendingText={m.settings_sessions_ending()}>
            {m.settings_sessions_end()}
          </SubmitButton>
        ) : (
          <p className="text-sm text-ink-soft">{m.settings_sessions_only()}</p>
        )}
      </Form>
    </section>
  );
}
