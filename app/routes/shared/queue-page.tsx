/** The queue of a session: /desk/queue for members of a place, /doctor/queue for the doctor. */

import type { Eta } from "#app/domains/token-words.ts";
import { NextCard } from "#app/domains/waiting-room/queue/components/next-card.tsx";
import { Press, PressButton } from "#app/domains/waiting-room/queue/components/press.tsx";
import { QueueLists } from "#app/domains/waiting-room/queue/components/queue-lists.tsx";
import { QueueTabs, SessionBar } from "#app/domains/waiting-room/queue/components/session-bar.tsx";
import { UnsentPresses } from "#app/domains/waiting-room/queue/components/unsent-presses.tsx";
import { WalkInForm } from "#app/domains/waiting-room/queue/components/walk-in-form.tsx";
import type { QueueSessionView, QueueView } from "#app/domains/waiting-room/queue/queue-view.ts";
import { partWord } from "#app/domains/waiting-room/queue/words.ts";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LiveQueue } from "#app/realtime/live-queue.tsx";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { WithPanel } from "#app/ui/staff/with-panel.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

type Props = {
  title: string;
  path: string;
  data: { view: QueueView; etas: Record<string, Eta>; formKey: string; given: string | null; typing: boolean };
  answer: (FormAnswer & { unsent?: true }) | undefined;
  /** The doctor's own page: shows no names of doctors, links appointments. */
  visitPath?: (id: string) => string;
  completePath?: (id: string) => string;
  /** The page where the doctor writes the visit of an appointment or of a queue entry without one. */
  writePath?: (id: string) => string;
  /** The figures of past sessions. */
  figuresPath?: string;
};
type WalkInDetail = Partial<Pick<Parameters<typeof WalkInForm>[0], "people" | "same">>;

export function QueuePage({ title, path, data, answer, visitPath, completePath, writePath, figuresPath }: Props) {
  const { view, formKey, typing } = data;
  const { session } = view;
  const hydrated = useHydrated();
  const result = answer?.result ?? null;
  const ofWalkIn = !answer?.unsent && ["add", "add-emergency", "find"].includes(String(result?.initialValue?.intent));
  const walkIn = ((ofWalkIn && answer?.detail) || {}) as WalkInDetail;
  const [refused] = useNadiForm({ id: "queue", lastResult: ofWalkIn || answer?.unsent ? null : result });
  // Without scripts the page after a refusal is a new one.
  const typed = !answer?.unsent && result?.initialValue?.intent === "expect" ? String(result.initialValue.at ?? "") : null;
  const rows = session
    ? [...session.waiting, ...session.expected, ...session.skipped, ...session.over, ...(session.current ? [session.current] : [])]
    : [];
  const given = rows.find(({ id }) => id === data.given);
  const heading = session ? (
    <>
      {title}{" "}
      <span className="text-ink-soft hidden desktop:inline-flex">{`${formatDayShort(session.date)}, ${partWord(session.part).toLowerCase()}`}</span>
    </>
  ) : (
    title
  );
  return (
    <Page wide title={heading} className="desktop:max-w-desk">
      <UnsentPresses unsent={Boolean(answer?.unsent)} />
      <ErrorSummary form={refused} />
      {session ? (
        <>
          <LiveQueue sessionId={session.id} />
          <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <QueueTabs view={view} path={path} alone={Boolean(visitPath)} />
            <SessionBar session={session} path={path} today={view.today} />
          </div>
          <WithPanel
            panel={
              session.state !== "closed" && (
                <>
                  {!hydrated && !typing && (
                    <p className="text-sm text-ink-soft mb-3">
                      {m.queue_refreshes()} <AnyLink to={`${path}?session=${session.id}&typing=on`}>{m.queue_refresh_stop()}</AnyLink>
                    </p>
                  )}
                  <WalkInForm
                    key={`${session.id} ${data.given}`}
                    session={session}
                    formKey={formKey}
                    result={ofWalkIn ? result : null}
                    people={walkIn.people ?? null}
                    same={walkIn.same ?? null}
                    given={given ? { number: given.number, name: given.name, slip: `${path}/${session.id}/slip/${given.id}` } : null}
                  />
                </>
              )
            }
          >
            <NextCard session={session} typed={typed} visitPath={visitPath} writePath={writePath} />
            {session.announcement && <Announcement of={session.announcement} />}
            <QueueLists session={session} etas={data.etas} path={path} completePath={completePath} />
          </WithPanel>
        </>
      ) : (
        <EmptyState drawing="no-appointments" title={m.queue_none_title()}>
          {view.startable.length > 0 && m.queue_none_text()}
        </EmptyState>
      )}
      {view.startable.length > 0 && <Start startable={view.startable} alone={Boolean(visitPath)} />}
      {figuresPath && (
        <p className="mt-7">
          <LinkButton to={figuresPath} variant="second" size="sm" icon="chart-column">
            {m.figures_title()}
          </LinkButton>
        </p>
      )}
    </Page>
  );
}

/** When patients at home were last notified of a late doctor. */
const Announcement = ({ of: { at, expected, sms, unreachable } }: { of: NonNullable<QueueSessionView["announcement"]> }) => (
  <Note tone="ok" className="mt-4">
    {[
      m.queue_last_told({ at: formatTime(at), time: formatTime(expected) }),
      m.queue_last_told_sms({ count: sms }),
      unreachable > 0 && m.queue_last_told_none({ count: unreachable }),
    ]
      .filter(Boolean)
      .join(" ")}
  </Note>
);

const Start = ({ startable, alone }: { startable: QueueView["startable"]; alone: boolean }) => (
  <ul className="row flex-wrap mt-4">
    {startable.map(({ id, doctor, place }) => (
      <li key={id}>
        <Press fields={{ practiceId: id }}>
          <PressButton intent="start" variant="second" size="sm" icon="plus">
            {alone ? [m.queue_start(), startable.length > 1 && place].filter(Boolean).join(": ") : m.queue_start_of({ doctor })}
          </PressButton>
        </Press>
      </li>
    ))}
  </ul>
);
