import type { ReactNode } from "react";
import { Form } from "react-router";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { WithPanel } from "#app/ui/staff/with-panel.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Agenda, AgendaEntry, AgendaFilter, AgendaRow } from "../agenda.ts";
import { AgendaKeys } from "./agenda-keys.tsx";
import { AgendaPanel } from "./agenda-panel.tsx";
import { AgendaTable } from "./agenda-table.tsx";
import { type AgendaChange, AgendaToolbar } from "./agenda-toolbar.tsx";

export type AgendaViewProps = {
  agenda: Agenda;
  /** Where the patients of today are, by appointment. */
  tokens: Record<string, DayToken>;
  filter: AgendaFilter;
  today: string;
  /** The time in India. */
  now: string;
  entry: AgendaEntry | null;
  path: string;
  fixed: Record<string, string>;
  /** The URL of the agenda with one value of its filter changed: a new filter starts at page 1 without a panel. */
  address: (change: AgendaChange) => string;
  /** The page that confirms accepting several requests; null where the user may not accept. */
  acceptPage: string | null;
  doctors?: boolean;
  /** A form of further filters, in the toolbar. */
  choices?: ReactNode;
  /** The main action of the toolbar. */
  main?: ReactNode;
  /** The page that changes the time of a row. */
  moveTo: (row: AgendaRow) => string;
  /** The page of a queue. */
  queueAt: (sessionId: string) => string;
  /** The next step of a row. `main`: in the panel. */
  action: (row: AgendaRow, main?: boolean) => ReactNode;
  menu: (row: AgendaRow) => ReactNode;
  panelActions: (entry: AgendaEntry) => ReactNode;
  /** Links to other views, at the end of the toolbar. */
  children?: ReactNode;
};

const PICKED = "picked";

/** The agenda of one or several doctors. Knows no role: the page gives the actions. */
export function AgendaView(props: AgendaViewProps) {
  const { agenda, filter, address, acceptPage } = props;
  const { totals } = agenda;
  const here = { show: filter.show, day: filter.day ?? "", seen: filter.seen ? "1" : "", q: filter.search, page: filter.page };
  return (
    <>
      <AgendaToolbar {...props} totals={totals}>
        {props.children}
        <AgendaKeys />
      </AgendaToolbar>
      {totals.past > 0 && filter.show !== "past" && !filter.day && (
        <Note tone="warn" className="mb-3">
          {m.agenda_past_open({ count: totals.past })} <AnyLink to={address({ show: "past" })}>{m.agenda_past_show()}</AnyLink>
        </Note>
      )}
      {filter.search && (
        <p className="row flex-wrap mb-3">
          <span className="grow">{m.appointments_search_for({ text: filter.search })}</span>
          <LinkButton to={address({ ...here, q: "", page: 1 })} variant="quiet" size="sm" icon="x">
            {m.appointments_search_clear()}
          </LinkButton>
        </p>
      )}
      <WithPanel above labelledBy="panel-name" panel={props.entry && <OpenEntry {...props} entry={props.entry} here={here} />}>
        {acceptPage && totals.requests > 0 && <Requests count={totals.requests} acceptPage={acceptPage} fixed={props.fixed} />}
        <AgendaRows {...props} here={here} />
        <Pages page={filter.page} hasMore={agenda.hasMore} to={(page) => address({ ...here, page })} />
      </WithPanel>
    </>
  );
}

/** `here`: the filter of this page. */
type Here = { here: AgendaChange };

const OpenEntry = ({ entry, address, here, tokens, action, doctors, panelActions }: AgendaViewProps & Here & { entry: AgendaEntry }) => (
  <AgendaPanel entry={entry} close={address(here)} token={tokens[entry.id]} step={action(entry, true)} {...(doctors && { doctors })}>
    {panelActions(entry)}
  </AgendaPanel>
);

/** The form that accepts requests: those that are picked in the table below, or all. */
function Requests({ count, acceptPage, fixed }: { count: number; acceptPage: string } & Pick<AgendaViewProps, "fixed">) {
  return (
    <Form id={PICKED} className="row flex-wrap group bg-warn-soft px-3 py-1.5 text-warn-strong" action={acceptPage}>
      {Object.entries(fixed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Icon name="hourglass" small />
      <span className="grow">{m.agenda_waiting({ count })}</span>
      <Button type="submit" variant="second" size="sm" className="group-[:not(:has(~table_:checked))]:hidden">
        {m.agenda_accept_picked()}
      </Button>
      <LinkButton to={acceptPage} variant="second" size="sm">
        {count === 1 ? m.agenda_accept_one() : m.agenda_accept_all({ count })}
      </LinkButton>
    </Form>
  );
}

function AgendaRows(props: AgendaViewProps & Here) {
  const { agenda, tokens, filter, today, now, entry, address, acceptPage, doctors, moveTo, queueAt, action, menu, here } = props;
  const { rows, walkIns, days } = agenda;
  if (rows.length + walkIns.length === 0)
    return filter.search ? (
      <EmptyState drawing="nothing-found" title={m.appointments_search_none({ text: filter.search })}>
        {m.agenda_search_none()}
      </EmptyState>
    ) : (
      <Empty {...props} folded={days.find(({ date }) => date === (filter.day ?? today))?.folded ?? 0} />
    );
  return (
    <AgendaTable
      rows={rows}
      walkIns={walkIns}
      queueAt={queueAt}
      days={days}
      tokens={tokens}
      today={today}
      now={now}
      open={entry?.id ?? null}
      beside={entry !== null}
      moveTo={(row) => (canMove(row, today, now) ? moveTo(row) : null)}
      openAt={(id) => address({ ...here, open: id })}
      {...(doctors && { doctors })}
      {...(acceptPage && rows.some(({ status }) => status === "pending") && { pick: (row: AgendaRow) => <RequestPick row={row} /> })}
      action={(row) => action(row)}
      menu={menu}
      folded={({ folded }) =>
        folded > 0 &&
        !filter.seen &&
        filter.show !== "due" && (
          <LinkButton to={address({ ...here, seen: "1" })} variant="quiet" size="sm">
            {m.agenda_show_folded({ count: folded })}
          </LinkButton>
        )
      }
    />
  );
}

/** What the clinic can cancel it can move, until the booked time. */
const canMove = ({ actions, date, time }: AgendaRow, today: string, now: string): boolean =>
  actions.includes("cancel") && (date > today || (date === today && time > now));

function Empty({ filter, address, folded, here }: AgendaViewProps & Here & { folded: number }) {
  const finished = folded > 0 && !filter.seen && filter.show !== "due";
  return (
    <EmptyState
      drawing="no-appointments"
      title={
        filter.show === "due"
          ? m.agenda_none_due()
          : filter.show === "requests" && !filter.day
            ? m.agenda_none_requests()
            : finished
              ? m.agenda_none_open()
              : m.agenda_none()
      }
      action={
        finished ? (
          <LinkButton to={address({ ...here, seen: "1" })} variant="second">
            {m.agenda_show_folded({ count: folded })}
          </LinkButton>
        ) : undefined
      }
    >
      {m.agenda_none_text()}
    </EmptyState>
  );
}

/** The checkbox of a request, of the form above the table. */
const RequestPick = ({ row }: { row: AgendaRow }) =>
  row.status === "pending" && (
    <Pick look="mark" className="min-w-target-min" type="checkbox" name="id" value={row.id} form={PICKED}>
      <span className="sr-only">{m.agenda_pick_of({ name: row.patientName })}</span>
    </Pick>
  );
