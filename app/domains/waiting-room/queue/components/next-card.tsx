import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { DeepCard, ON_DEEP } from "#app/ui/members/deep-card.tsx";
import type { QueueRow, QueueSessionView } from "../queue-view.ts";
import { Press, PressButton } from "./press.tsx";

/** `late`: the page that asks when a late doctor is expected, on a page that loads itself again. `typed`: the time of a form that was refused. */
type Props = {
  session: QueueSessionView;
  late?: string | null;
  typed?: string | null;
  visitPath?: (id: string) => string;
  writePath?: (id: string) => string;
};

/** An outlined button on the dark card. */
const onDark = { variant: "second", className: "border-white bg-transparent text-inherit" } as const;

/** Who is with the doctor, and the one large button: "Doctor is in", "Next patient" or "Resume". */
export function NextCard({ session, late = null, typed = null, visitPath, writePath }: Props) {
  const { state, current, waiting } = session;
  const [next] = waiting;
  return (
    <DeepCard beat={state === "open"} aria-labelledby="now">
      <h2 id="now" className="sr-only">
        {m.queue_now()}
      </h2>
      <div className="row flex-wrap gap-x-5 gap-y-3">
        {state === "planned" ? (
          <Planned session={session} late={late} typed={typed} />
        ) : state === "closed" ? (
          <Closed session={session} />
        ) : current ? (
          <Current row={current} sessionId={session.id} undo={session.undo} visitPath={visitPath} writePath={writePath} />
        ) : (
          <p className="grow text-lg">
            {state === "paused" ? m.queue_paused_since({ time: formatTime(session.pausedAt ?? "") }) : m.queue_nobody_inside()}
          </p>
        )}
        {state === "planned" && (
          <Large
            session={session}
            intent="open"
            label={m.queue_doctor_in()}
            small={m.queue_expected_count({ count: session.expected.length + waiting.length })}
          />
        )}
        {state === "paused" && (
          <Large
            session={session}
            intent="resume"
            label={m.queue_resume()}
            small={current ? m.queue_paused_since({ time: formatTime(session.pausedAt ?? "") }) : undefined}
          />
        )}
        {state === "open" &&
          (next ? (
            <Large
              session={session}
              intent="call"
              entry={next}
              label={m.queue_next_patient()}
              small={`${next.number}, ${next.name}${next.emergency ? `, ${m.queue_emergency().toLowerCase()}` : ""}`}
            />
          ) : (
            <p className="grow">{m.queue_nobody_waits()}</p>
          ))}
      </div>
    </DeepCard>
  );
}

const Closed = ({ session }: { session: QueueSessionView }) => {
  const unseen = session.over.filter((row) => row.state === "unseen").length;
  const hint = unseen ? m.queue_closed_unseen({ count: unseen }) : session.doctorInAt ? "" : m.queue_ended();
  return (
    <div className="grow">
      <p className="text-lg">{m.queue_closed_since({ time: formatTime(session.closedAt ?? session.endsAt) })}</p>
      {hint && <p className="text-ink-soft">{hint}</p>}
    </div>
  );
};

const Planned = ({ session, late, typed }: { session: QueueSessionView; late: string | null; typed: string | null }) => (
  <div className="grow">
    <p className="text-ink-soft num">
      {m.queue_planned_start()} {formatTime(session.startsAt)}
    </p>
    <p className="text-lg">
      <b>{session.doctor}</b>
    </p>
    <p className="text-ink-soft">
      {[session.place, m.queue_span({ from: formatTime(session.startsAt), until: formatTime(session.endsAt) })].filter(Boolean).join(", ")}
      {session.lateMinutes > 0 && session.start && (
        <>
          <br />
          {m.queue_expected_now({ time: formatTime(session.start.expected) })}
        </>
      )}
    </p>
    {session.start &&
      (late ? (
        <LinkButton to={late} size="sm" icon="hourglass" className={`mt-2 ${ON_DEEP}`}>
          {m.queue_expected_link()}
        </LinkButton>
      ) : (
        <Expect sessionId={session.id} start={session.start} typed={typed} />
      ))}
  </div>
);

/** Asks when a late doctor is expected, and notifies the patients at home. A proposed time that has changed fills the field again. */
const Expect = ({
  sessionId,
  start: { expected, proposed, tells },
  typed,
}: {
  sessionId: string;
  typed: string | null;
  start: NonNullable<QueueSessionView["start"]>;
}) => (
  <Press fields={{ sessionId }} className="mt-2">
    <label className="label" htmlFor="queue-at">
      {m.queue_expected_at()}
    </label>
    <div className="row flex-wrap gap-2">
      <input
        key={expected}
        className="input num w-auto"
        id="queue-at"
        type="time"
        name="at"
        required
        defaultValue={typed ?? proposed}
        aria-invalid={typed !== null || undefined}
        aria-describedby="queue-at-hint"
      />
      <PressButton intent="expect" {...onDark}>
        {tells ? m.queue_expected_tell({ count: tells }) : m.queue_expected_show()}
      </PressButton>
    </div>
    <p className="text-sm text-ink-soft" id="queue-at-hint">
      {tells ? m.queue_expected_hint() : m.queue_expected_hint_none()}
    </p>
  </Press>
);

type Paths = { visitPath?: ((id: string) => string) | undefined; writePath?: ((id: string) => string) | undefined };
type CurrentProps = Paths & { row: QueueRow; sessionId: string; undo: QueueSessionView["undo"] };
function Current({ row, sessionId, undo, visitPath, writePath }: CurrentProps) {
  const called = row.state === "called";
  const about = `${row.number}, ${row.name}`;
  const person = ageAndSexWord(row.age, row.gender);
  return (
    <>
      <div>
        <p className="text-ink-soft">{called ? m.queue_called_now() : m.queue_now_seeing()}</p>
        <p className="num text-[min(5.5rem,22vw)] font-bold leading-none">{row.number}</p>
      </div>
      <div className="grow">
        <p className="text-lg">
          {row.visit && visitPath ? (
            <AnyLink to={visitPath(row.visit)} className="text-inherit underline">
              <b>{row.name}</b>
            </AnyLink>
          ) : (
            <b>{row.name}</b>
          )}
          {person && `, ${person}`}
        </p>
        <p className="text-ink-soft">
          {called
            ? m.queue_called_at({ time: formatTime(row.called ?? "") })
            : m.queue_inside_since({ time: formatTime(row.entered ?? "") })}
        </p>
        <div className="row flex-wrap gap-2 mt-2">
          {!called && writePath && (
            <LinkButton to={writePath(row.visit ?? row.id)} size="sm" icon="file-text" className={ON_DEEP}>
              {m.visit_write()}
            </LinkButton>
          )}
          <Press fields={{ sessionId, entryId: row.id }} className="row flex-wrap gap-2">
            {called ? (
              <>
                <PressButton intent="enter" about={about} size="sm" {...onDark}>
                  {m.queue_enter()}
                </PressButton>
                <PressButton intent="skip" about={about} size="sm" {...onDark}>
                  {m.queue_skip()}
                </PressButton>
                {undo && (
                  <PressButton intent="undo-call" about={about} size="sm" {...onDark}>
                    {undo.inside ? m.queue_undo_call_inside({ number: undo.inside }) : m.queue_undo_call()}
                  </PressButton>
                )}
              </>
            ) : (
              <PressButton intent="finish" about={about} size="sm" {...onDark}>
                {m.queue_finish()}
              </PressButton>
            )}
          </Press>
        </div>
      </div>
    </>
  );
}

const Large = ({
  session,
  intent,
  entry,
  label,
  small,
}: {
  session: QueueSessionView;
  intent: string;
  entry?: QueueRow;
  label: string;
  small: string | undefined;
}) => (
  <Press fields={{ sessionId: session.id, ...(entry && { entryId: entry.id }) }} className="grow basis-60">
    <SubmitButton full className={`min-h-24 text-2xl ${ON_DEEP}`} name="intent" value={intent}>
      <span>
        {label}
        {small && <small className="mt-1 block text-sm font-normal">{small}</small>}
      </span>
    </SubmitButton>
  </Press>
);
