import type { ReactNode } from "react";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { formatSpan, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { RowMenu } from "#app/ui/staff/row-menu.tsx";
import type { QueueRow, QueueSessionView } from "../queue-view.ts";
import { entryStateWord, kindWord } from "../words.ts";
import { Press, PressButton } from "./press.tsx";

type Props = {
  session: QueueSessionView;
  /** When each patient is called, by entry. */
  etas: Record<string, { from: string; until: string }>;
  path: string;
  completePath?: ((id: string) => string) | undefined;
};

/** The patients of a session by state. */
export function QueueLists({ session, etas, path, completePath }: Props) {
  const { waiting, expected, skipped, over, state } = session;
  const open = state !== "closed";
  const eta = (row: QueueRow) => {
    const range = etas[row.id];
    return range ? formatSpan(range) : null;
  };
  return (
    <>
      <List title={m.queue_waiting_here()} hint={m.queue_rule()} rows={waiting} none={m.queue_nobody_waits()}>
        {(row, i) => (
          <Line
            range
            key={row.id}
            row={row}
            detail={m.queue_arrived_at({ time: formatTime(row.arrived ?? "") })}
            at={i === 0 && state === "open" ? m.queue_next() : (eta(row) ?? (row.kind === "booked" ? formatTime(row.due) : ""))}
          >
            {open && (
              <Menu row={row} sessionId={session.id} slip={slipPath(row, session.id, path)}>
                {state === "open" && item("call-now", m.queue_call_now(), row)}
                {row.emergency ? item("normal", m.queue_no_emergency(), row) : item("emergency", m.queue_emergency_first(), row)}
                {item("leave", m.queue_leave(), row)}
              </Menu>
            )}
          </Line>
        )}
      </List>
      {expected.length > 0 && (
        <List title={m.queue_not_here()} hint={open ? m.queue_sms_hint() : undefined} rows={expected}>
          {(row) => (
            <Line key={row.id} row={row} at={eta(row) ?? formatTime(row.due)}>
              {open && (
                <>
                  <Check row={row} sessionId={session.id} intent="arrive" />
                  <Menu row={row} sessionId={session.id} slip={slipPath(row, session.id, path)}>
                    {item("leave", m.queue_not_coming(), row)}
                  </Menu>
                </>
              )}
            </Line>
          )}
        </List>
      )}
      {skipped.length > 0 && <Skipped session={session} path={path} />}
      {over.length > 0 && <Over session={session} completePath={completePath} />}
    </>
  );
}

const slipPath = ({ id, slip }: QueueRow, sessionId: string, path: string) => (slip ? `${path}/${sessionId}/slip/${id}` : null);

function Skipped({ session: { id, skipped, state }, path }: Pick<Props, "session" | "path">) {
  const open = state !== "closed";
  return (
    <List title={m.queue_skipped()} hint={m.queue_skipped_hint()} rows={skipped}>
      {(row) => (
        <Line key={row.id} row={row} detail={m.queue_called_at({ time: formatTime(row.called ?? "") })} at="">
          {open && (
            <>
              <Check row={row} sessionId={id} intent="return" />
              <Menu row={row} sessionId={id} slip={slipPath(row, id, path)}>
                {item("leave", m.queue_leave(), row)}
              </Menu>
            </>
          )}
        </Line>
      )}
    </List>
  );
}

function Over({ session: { id, over, state }, completePath }: Pick<Props, "session" | "completePath">) {
  const open = state !== "closed";
  return (
    <details className="card mt-4" open={!open}>
      <summary className="row">
        <h2 className="grow">
          {m.queue_over()} <span className="count">{over.length}</span>
        </h2>
        <Icon name="chevron-down" />
      </summary>
      <ol>
        {over.map((row) => (
          <Line key={row.id} row={row} at={entryStateWord(row.state)}>
            <OverActions row={row} sessionId={id} isOpen={open} completePath={completePath} />
          </Line>
        ))}
      </ol>
    </details>
  );
}

type OverActionsProps = { row: QueueRow; sessionId: string; isOpen: boolean } & Pick<Props, "completePath">;
function OverActions({ row, sessionId, isOpen, completePath }: OverActionsProps) {
  const fields = { sessionId, entryId: row.id };
  if (row.state === "done")
    return (
      <>
        {row.toComplete && row.visit && completePath && (
          <LinkButton to={completePath(row.visit)} variant="second" size="sm" aria-label={`${m.queue_complete()}: ${row.name}`}>
            {m.queue_complete()}
          </LinkButton>
        )}
        {isOpen && row.toUndo && (
          <Press fields={fields}>
            <PressButton intent="undo-finish" variant="quiet" size="sm" about={row.name}>
              {m.queue_undo_finish()}
            </PressButton>
          </Press>
        )}
      </>
    );
  if (row.state === "no-show" && completePath && !isOpen)
    return (
      <Press fields={fields}>
        <PressButton intent="undo-miss" variant="second" size="sm" about={row.name}>
          {m.queue_undo_miss()}
        </PressButton>
      </Press>
    );
  return isOpen && <Check row={row} sessionId={sessionId} intent="return" />;
}

type ListProps = {
  title: string;
  hint?: string | undefined;
  rows: QueueRow[];
  none?: string;
  children: (row: QueueRow, i: number) => ReactNode;
};
const List = ({ title, hint, rows, none, children }: ListProps) => (
  <section className="card mt-4">
    <div className="row flex-wrap mb-3">
      <h2 className="grow">
        {title} <span className="count">{rows.length}</span>
      </h2>
      {hint && <p className="text-sm text-ink-soft">{hint}</p>}
    </div>
    {rows.length ? <ol>{rows.map(children)}</ol> : <p className="text-ink-soft">{none}</p>}
  </section>
);

export const QueueLine = ({ number, children }: { number: number; children: ReactNode }) => (
  <li className="flex min-h-14 flex-wrap items-center gap-x-3 border-line leading-tight not-last:border-b desktop:min-h-12">
    <b className="num w-8 text-lg">{number}</b>
    {children}
  </li>
);

type LineProps = { row: QueueRow; detail?: string; at: string; range?: boolean; children: ReactNode };
/** `range`: its time is a range. */
const Line = ({ row, detail, at, range, children }: LineProps) => (
  <QueueLine number={row.number}>
    <p className="grow">
      <span className="font-bold">{row.name || m.queue_name_erased()}</span>{" "}
      <span className="num text-ink-soft">{ageAndSexWord(row.age, row.gender)}</span>{" "}
      {detail && <span className="text-sm text-ink-soft block">{detail}</span>}
    </p>
    <div className="max-desktop:ml-auto desktop:w-28">
      {row.emergency ? (
        <Badge tone="bad" icon="siren">
          {m.queue_emergency()}
        </Badge>
      ) : (
        <span className="text-ink-soft">{row.request ? m.queue_request() : kindWord(row.kind)}</span>
      )}
    </div>
    <span
      className={classes(
        "num leading-normal whitespace-normal max-desktop:not-empty:ml-11 max-desktop:not-empty:grow max-desktop:not-empty:basis-32",
        range ? "desktop:w-44" : "desktop:w-28",
      )}
    >
      {at}
    </span>
    <div className={classes("ml-auto flex items-center justify-end", range ? "desktop:min-w-11" : "desktop:min-w-34")}>{children}</div>
  </QueueLine>
);

const Check = ({ row, sessionId, intent }: { row: QueueRow; sessionId: string; intent: "arrive" | "return" }) => (
  <Press fields={{ sessionId, entryId: row.id }}>
    <PressButton intent={intent} variant="second" size="sm" about={row.name}>
      {m.queue_check_in()}
    </PressButton>
  </Press>
);

const item = (intent: string, label: string, row: QueueRow) => (
  <PressButton intent={intent} variant="quiet" size="sm" full about={row.name}>
    {label}
  </PressButton>
);

const Menu = ({ row, sessionId, slip, children }: { row: QueueRow; sessionId: string; slip: string | null; children: ReactNode }) => (
  <RowMenu label={m.queue_more_of({ name: row.name, number: row.number })}>
    <Press fields={{ sessionId, entryId: row.id }}>{children}</Press>
    {slip && (
      <LinkButton to={slip} variant="quiet" size="sm" full aria-label={`${m.queue_slip()}: ${row.name}`}>
        {m.queue_slip()}
      </LinkButton>
    )}
  </RowMenu>
);
