import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { QueueSessionView, QueueView } from "../queue-view.ts";
import { partWord, sessionStateWord } from "../words.ts";
import { Press, PressButton } from "./press.tsx";

/** The queues of today as tabs. Names the part of the day where a doctor has several. */
export function QueueTabs({ view, path, alone }: { view: QueueView; path: string; alone: boolean }) {
  const { tabs, session } = view;
  if (tabs.length < 2) return null;
  return (
    <Tabs
      label={m.queue_tabs()}
      tabs={tabs.map(({ id, doctor, part, waiting }) => {
        const several = tabs.filter((tab) => tab.doctor === doctor).length > 1;
        return {
          to: `${path}?session=${id}`,
          label: alone ? partWord(part) : several ? `${doctor}, ${partWord(part)}` : doctor,
          count: waiting,
          current: id === session?.id,
        };
      })}
    />
  );
}

/** The state of a session and what changes it. */
export function SessionBar({ session, path, today }: { session: QueueSessionView; path: string; today: string }) {
  const { state, id } = session;
  const running = state === "open" || state === "paused";
  return (
    <div className="row flex-wrap gap-2 max-desktop:w-full desktop:ml-auto">
      {state === "planned" && (
        <Badge tone="warn" icon="hourglass">
          {m.queue_doctor_not_in()}
        </Badge>
      )}
      {running && session.doctorInAt && (
        <Badge tone="ok" icon="circle-check">
          {m.queue_doctor_in_since({ time: formatTime(session.doctorInAt) })}
        </Badge>
      )}
      {state === "closed" && <Badge>{sessionStateWord(state)}</Badge>}
      {state !== "closed" && (
        <>
          {state === "open" && (
            <Press fields={{ sessionId: id }}>
              <PressButton intent="pause" variant="second" size="sm" icon="pause">
                {m.queue_pause()}
              </PressButton>
            </Press>
          )}
          <LinkButton to={`${path}/${id}/close`} variant="quiet" size="sm">
            {m.queue_close()}
          </LinkButton>
        </>
      )}
      {state === "closed" && session.date === today && (
        <Press fields={{ sessionId: id }}>
          <PressButton intent="reopen" variant="second" size="sm">
            {m.queue_reopen()}
          </PressButton>
        </Press>
      )}
    </div>
  );
}
