import type { ReactNode } from "react";
import { href } from "react-router";
import { NextCard } from "#app/domains/waiting-room/queue/components/next-card.tsx";
import { Press, PressButton } from "#app/domains/waiting-room/queue/components/press.tsx";
import { QueueLists } from "#app/domains/waiting-room/queue/components/queue-lists.tsx";
import { QueueTabs, SessionBar } from "#app/domains/waiting-room/queue/components/session-bar.tsx";
import { UnsentPresses } from "#app/domains/waiting-room/queue/components/unsent-presses.tsx";
import { GivenToken, WalkInForm } from "#app/domains/waiting-room/queue/components/walk-in-form.tsx";
import { getQueuePage } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import type { QueueSessionView, QueueView } from "#app/domains/waiting-room/queue/queue-view.ts";
import { partWord } from "#app/domains/waiting-room/queue/words.ts";
import { estimateRows } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LiveQueue } from "#app/realtime/live-queue.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { type PageHandle, WithoutScripts } from "#app/ui/document.tsx";
import { ErrorSummary, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { WithPanel } from "#app/ui/staff/with-panel.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/queue.ts";
import { submitQueueForm } from "./queue-forms.server.ts";
import { QUEUE_PATHS, type QueueArea } from "./queue-paths.ts";

type Loaded = Awaited<ReturnType<typeof loader>> | undefined;
const REFRESH_SECONDS = "5";
/** Without scripts the page loads itself again. So its forms with fields are on pages of their own there: `?typing=walk-in` and `late`. */
export const handle = {
  polled: true,
  refresh: (loaded, answer) => ((loaded as Loaded)?.typing || answer ? null : REFRESH_SECONDS),
} satisfies PageHandle;

export const loader = loadOwn(async (ctx, { context, request }: Route.LoaderArgs) => {
  const params = new URL(request.url).searchParams;
  const area = areaIn(context, "doctor", "desk");
  const { planned, ...view } = await getQueuePage(ctx, area === "doctor" ? "doctor" : "member", params.get("session"));
  const etas = view.session ? await estimateRows(ctx, view.session.id, planned) : {};
  return { area, view, etas, formKey: randomToken(), given: params.get("given"), sms: params.has("sms"), typing: params.get("typing") };
});

export function action({ context, request }: Route.ActionArgs) {
  return submitQueueForm(actorCtxOf(context), request, QUEUE_PATHS[areaIn(context, "doctor", "desk")]);
}

/** What the doctor's own page has in addition: links to appointments, visits and figures. It shows no names of doctors. */
const OF_DOCTOR = {
  visitPath: (id: string) => href("/doctor/patient/:id", { id }),
  writePath: (id: string) => href("/doctor/visits/:id", { id }),
  completePath: (id: string) => href("/doctor/appointments/:id/:action", { id, action: "complete" }),
};
const titleOf = (area: QueueArea) => (area === "doctor" ? m.queue_my_title() : m.queue_title());

type WalkInDetail = Partial<Pick<Parameters<typeof WalkInForm>[0], "people" | "same">>;

/** The queue of a session. */
export default function Queue({ loaderData: data, actionData }: Route.ComponentProps) {
  // `unsent`: of a form that never reached the server (ui/unsent-form.ts).
  const answer = actionData as (typeof actionData & { unsent?: true }) | undefined;
  const { area, view, formKey, typing } = data;
  const path = QUEUE_PATHS[area];
  const title = titleOf(area);
  const { session } = view;
  const hydrated = useHydrated();
  const result = answer?.result ?? null;
  const ofWalkIn = !answer?.unsent && ["add", "add-emergency", "find"].includes(String(result?.initialValue?.intent));
  const walkIn = ((ofWalkIn && answer?.detail) || {}) as WalkInDetail;
  const [refused] = useNadiForm({ id: "queue", lastResult: ofWalkIn || answer?.unsent ? null : result });
  // Without scripts the page after a refusal is a new one.
  const typed = !answer?.unsent && result?.initialValue?.intent === "expect" ? String(result.initialValue.at ?? "") : null;
  const given = session && givenOf(session, data, path);
  // What a page without scripts shows alone, and where the queue is.
  const isShort = !hydrated && session?.state !== "closed";
  const alone = !isShort ? null : typing === "walk-in" || ofWalkIn ? "walk-in" : typing === "late" || typed !== null ? "late" : null;
  const here = session ? `${path}?session=${session.id}` : path;
  const walkInForm = session && session.state !== "closed" && (
    <WalkInForm
      key={`${session.id} ${data.given}`}
      session={session}
      formKey={formKey}
      result={ofWalkIn ? result : null}
      people={walkIn.people ?? null}
      same={walkIn.same ?? null}
      given={given}
    />
  );
  if (session && alone)
    return (
      <Page title={title} back={{ to: here, label: m.queue_back() }}>
        <ErrorSummary form={refused} />
        {alone === "late" ? <NextCard session={session} typed={typed} /> : walkInForm}
      </Page>
    );
  return (
    <Page wide="desk" title={session ? <Heading title={title} session={session} /> : title}>
      <UnsentPresses unsent={Boolean(answer?.unsent)} />
      <ErrorSummary form={refused} />
      <ScriptlessLine back={answer ? here : null} />
      {session ? (
        <SessionQueue
          session={session}
          data={data}
          late={hydrated ? null : `${here}&typing=late`}
          typed={typed}
          panel={session.state === "closed" ? null : hydrated ? walkInForm : <WalkInLink here={here} given={given} />}
        />
      ) : (
        <EmptyState drawing="no-appointments" title={m.queue_none_title()}>
          {view.startable.length > 0 && m.queue_none_text()}
        </EmptyState>
      )}
      {view.startable.length > 0 && <Start startable={view.startable} alone={area === "doctor"} />}
      {area === "doctor" && <FiguresLink />}
    </Page>
  );
}

type SessionProps = {
  session: QueueSessionView;
  data: Route.ComponentProps["loaderData"];
  late: string | null;
  typed: string | null;
  panel: ReactNode;
};
function SessionQueue({ session, data: { area, view, etas }, late, typed, panel }: SessionProps) {
  const path = QUEUE_PATHS[area];
  const { visitPath, completePath, writePath } = area === "doctor" ? OF_DOCTOR : {};
  return (
    <>
      <LiveQueue sessionIds={[session.id]} />
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <QueueTabs view={view} path={path} alone={Boolean(visitPath)} />
        <SessionBar session={session} path={path} today={view.today} />
      </div>
      <WithPanel panel={panel}>
        <NextCard session={session} late={late} typed={typed} visitPath={visitPath} writePath={writePath} />
        {session.announcement && <Announcement of={session.announcement} />}
        <QueueLists session={session} etas={etas} path={path} completePath={completePath} />
      </WithPanel>
    </>
  );
}

/** Returns the token that was just given, with the address of its slip. */
function givenOf(session: QueueSessionView, { given, sms }: { given: string | null; sms: boolean }, path: string) {
  const rows = [
    ...session.waiting,
    ...session.expected,
    ...session.skipped,
    ...session.over,
    ...(session.current ? [session.current] : []),
  ];
  const row = rows.find(({ id }) => id === given);
  return row ? { number: row.number, name: row.name, sms, slip: `${path}/${session.id}/slip/${row.id}` } : null;
}

const Heading = ({ title, session }: { title: string; session: QueueSessionView }) => (
  <>
    {title}{" "}
    <span className="text-ink-soft hidden desktop:inline-flex">{`${formatDayShort(session.date)}, ${partWord(session.part).toLowerCase()}`}</span>
  </>
);

const ScriptlessLine = ({ back }: { back: string | null }) => (
  <WithoutScripts>
    <p className="text-sm text-ink-soft mb-3">
      {back ? <LinkButton to={back}>{m.queue_back()}</LinkButton> : m.queue_refreshes({ seconds: REFRESH_SECONDS })}
    </p>
  </WithoutScripts>
);

const FiguresLink = () => (
  <p className="mt-7">
    <LinkButton to={href("/doctor/queue/figures")} variant="second" size="sm" icon="chart-column">
      {m.figures_title()}
    </LinkButton>
  </p>
);

const WalkInLink = ({ here, given }: { here: string; given: Parameters<typeof GivenToken>[0]["of"] | null }) => (
  <>
    <LinkButton to={`${here}&typing=walk-in`} variant="second" full icon="plus">
      {m.queue_walk_in_title()}
    </LinkButton>
    {given && <GivenToken of={given} />}
  </>
);

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

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: m.ui_title({ page: titleOf(loaderData?.area ?? "desk") }) }];
