import type { SessionDevice } from "#app/domains/platform/users/device.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { deviceWord } from "./device-word.ts";

/** The user's sessions: device, city, last use. Posts `intent=end-session` and `session`, or `intent=end-others`. */
export function SessionDevices({ sessions, limit }: { sessions: SessionDevice[]; limit: string }) {
  const [form] = useNadiForm({ id: "sessions" });
  return (
    <section className="card mt-7" aria-labelledby="h-sessions">
      <h2 id="h-sessions">{m.settings_sessions()}</h2>
      <p className="text-sm text-ink-soft mb-3">{limit}</p>
      <DividedList>
        {sessions.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </DividedList>
      <Form form={form} className="mt-4">
        {sessions.length > 1 ? (
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

function OneSession({ session: { id, device, since, lastUsed, city, address, current } }: { session: SessionDevice }) {
  const [form] = useNadiForm({ id: `session-${id}` });
  return (
    <li>
      <p className="row flex-wrap">
        <b>{deviceWord(device)}</b>
        {current && (
          <Badge tone="ok" icon="check">
            {m.settings_session_here()}
          </Badge>
        )}
      </p>
      <p className="text-sm">
        {city ?? m.settings_session_nowhere()}
        {address && <span className="text-ink-soft num"> · {address}</span>}
      </p>
      <p className="text-sm text-ink-soft">
        {m.settings_session_since({ at: formatInstant(since) })} · {m.settings_session_used({ at: formatInstant(lastUsed) })}
      </p>
      {!current && (
        <Form form={form} className="mt-2">
          <input type="hidden" name="session" value={id} />
          <SubmitButton
            name="intent"
            value="end-session"
            variant="second"
            size="sm"
            icon="log-out"
            pendingText={m.settings_sessions_ending()}
          >
            {m.settings_session_end()}
            <span className="sr-only"> {deviceWord(device)}</span>
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
