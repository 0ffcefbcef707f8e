import type { ReactNode } from "react";
import { data, Form, href, useNavigation } from "react-router";
import { ActionButton, AskFirst } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { AppointmentCard } from "#app/domains/booking/appointments/components/appointment-card.tsx";
import { BookCallerLink } from "#app/domains/booking/appointments/components/caller-form.tsx";
import { DayMenu, DayStep } from "#app/domains/booking/appointments/components/day-step.tsx";
import { type AppointmentTab, listDoctorAppointments } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { type AgendaEntry, type AgendaRow, agendaFilter } from "#app/domains/clinic/agenda/agenda.ts";
import type { AgendaChange } from "#app/domains/clinic/agenda/components/agenda-toolbar.tsx";
import { AgendaView } from "#app/domains/clinic/agenda/components/agenda-view.tsx";
import { getAgendaRow, listAgenda } from "#app/domains/clinic/agenda/queries.server.ts";
import { recordWord } from "#app/domains/money/payments/words.ts";
import { listSessionIds } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { listDayTokens } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { readCookie, writeCookie } from "#app/http/cookies.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { days } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { LiveQueue } from "#app/realtime/live-queue.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Skeleton } from "#app/ui/members/skeleton.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { useLate } from "#app/ui/use-late.ts";
import { submitVisitPress } from "../agenda/press.server.ts";
import { PressAnswer } from "../agenda/press-answer.tsx";
import type { Route } from "./+types/appointments.ts";

const TAB_NAMES = ["upcoming", "completed", "cancelled"] as const satisfies readonly AppointmentTab[];

/** The cookie with the view that the doctor chose. */
const VIEW_COOKIE = "nadi_view";
type View = "agenda" | "cards";
/** Returns how a doctor sees the appointments: as chosen in the URL, otherwise as chosen before, otherwise as cards. */
function viewOf(request: Request, chosen: string | null): View {
  return (chosen ?? readCookie(request.headers.get("cookie"), VIEW_COOKIE)) === "agenda" ? "agenda" : "cards";
}
const viewCookie = (view: View) => writeCookie(VIEW_COOKIE, view, days(180) / 1000);

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const chosen = query.get("view");
  const view = viewOf(request, chosen);
  const init = chosen ? { headers: { "Set-Cookie": viewCookie(view) } } : {};
  const today = todayInIndia(ctx.now);
  const scope = { doctorIds: [ctx.actor.userId], reasons: true };
  const queues = await listSessionIds(ctx, scope, today);
  if (view === "agenda") {
    const filter = agendaFilter(query, { search, page });
    const open = query.get("open");
    const agenda = await listAgenda(ctx, scope, filter);
    const entry = open ? await getAgendaRow(ctx, scope, open) : null;
    const tokens = await listDayTokens(ctx, entry ? [...agenda.rows, entry] : agenda.rows);
    return data({ view, agenda, tokens, queues, filter, entry, today, now: timeInIndia(ctx.now) }, init);
  }
  const tab = TAB_NAMES.find((t) => t === query.get("tab")) ?? "upcoming";
  const list = await listDoctorAppointments(ctx, { tab, page, search }).catch((error: unknown) => {
    noteFault(error, "appointments");
    return null;
  });
  const tokens = await listDayTokens(ctx, [...(list?.rows ?? []), ...(list?.unanswered ?? [])]);
  return data({ view, tab, page, search, today, tokens, queues, list }, { ...init, status: list ? 200 : 503 });
});

export const action = ({ context, request, url }: Route.ActionArgs) => submitVisitPress(actorCtxOf(context), { request, url });

const TAB_WORDS: Record<AppointmentTab, () => string> = {
  upcoming: () => m.appointments_tab_upcoming(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};

type LoaderData = Route.ComponentProps["loaderData"];
type CardsData = Extract<LoaderData, { view: "cards" }>;

export default function DoctorAppointments({ loaderData, actionData }: Route.ComponentProps) {
  const answer = <PressAnswer answer={actionData} />;
  return (
    <>
      <LiveQueue sessionIds={loaderData.queues} visits />
      {loaderData.view === "agenda" ? <Agenda {...loaderData} answer={answer} /> : <Cards {...loaderData} answer={answer} />}
    </>
  );
}
type Answer = { answer: ReactNode };

function Cards({ answer, ...loaderData }: CardsData & Answer) {
  const { tab, page, search, today, tokens, list } = loaderData;
  const navigation = useNavigation();
  const loading = useLate(navigation.state === "loading" && navigation.location.pathname === href("/doctor/appointments"));
  const address = (change: { tab?: string; page?: number; q?: string }) =>
    listAddress(href("/doctor/appointments"), { tab, q: search, ...change });
  return (
    <Page wide title={m.appointments_doctor_title()}>
      {answer}
      <div className="grid gap-4 desktop:grid-cols-2 desktop:items-end desktop:gap-8">
        <SearchForm key={search} tab={tab} search={search} />
        <p className="row flex-wrap max-[30rem]:gap-2 max-[30rem]:*:px-3 desktop:justify-end">
          <LinkButton to={AGENDA} variant="second" size="sm" icon="calendar-clock" className="hidden desktop:inline-flex">
            {m.agenda_view()}
          </LinkButton>
          <LinkButton to={href("/doctor/appointments/day/:date", { date: today })} variant="second" size="sm" icon="file-text">
            {m.appointments_day_sheet()}
          </LinkButton>
          <LinkButton to={href("/doctor/appointments.ics")} variant="second" size="sm" icon="calendar-plus" download>
            {m.appointments_ics()}
          </LinkButton>
        </p>
      </div>
      <Tabs
        label={m.appointments_by_status()}
        tabs={TAB_NAMES.map((t) => ({
          to: address({ tab: t }),
          label: TAB_WORDS[t](),
          current: t === tab,
          ...(list && { count: list.counts[t] }),
        }))}
      />
      {search && (
        <p className="row flex-wrap mt-2">
          <span className="grow">{m.appointments_search_for({ text: search })}</span>
          <LinkButton to={address({ q: "" })} variant="quiet" size="sm" icon="x">
            {m.appointments_search_clear()}
          </LinkButton>
        </p>
      )}
      {loading ? (
        <div className="mt-4">
          <Skeleton label={m.appointments_loading()} lines={6} />
        </div>
      ) : list ? (
        <AskFirst from={address({ page })}>
          <List {...{ tab, page, search, today, tokens, list, address }} />
        </AskFirst>
      ) : (
        <Failed again={address({ page })} />
      )}
    </Page>
  );
}

const VIEW = { view: "agenda" };
const AGENDA = listAddress(href("/doctor/appointments"), VIEW);

/** The day as a table (`?view=agenda`). A cookie remembers the choice. */
function Agenda({ agenda, tokens, filter, entry, today, now, answer }: Extract<LoaderData, { view: "agenda" }> & Answer) {
  const address = (change: AgendaChange) => listAddress(href("/doctor/appointments"), { ...VIEW, ...change });
  const { show, day, seen, search, page } = filter;
  const here = address({ show, day: day ?? "", seen: seen ? "1" : "", q: search, page });
  return (
    <Page wide="desk" title={m.appointments_doctor_title()}>
      {answer}
      <AskFirst from={here}>
        <AgendaView
          agenda={agenda}
          filter={filter}
          tokens={tokens}
          entry={entry}
          today={today}
          now={now}
          path={href("/doctor/appointments")}
          fixed={VIEW}
          address={address}
          acceptPage={href("/doctor/appointments/accept")}
          moveTo={({ id }) => href("/doctor/patient/:id/time", { id })}
          queueAt={(session) => listAddress(href("/doctor/queue"), { session })}
          action={(row, main) => (
            <DayStep
              row={{ ...row, due: row.payment.due }}
              token={tokens[row.id]}
              by="doctor"
              {...{ today, takeAt }}
              {...(main && { main: "panel" as const })}
            />
          )}
          menu={(row) => (
            <>
              <DayMenu row={row} token={tokens[row.id]} by="doctor" today={today} />
              <Others row={row} />
            </>
          )}
          panelActions={(row) => <PanelActions row={row} today={today} />}
          main={<BookCallerLink to={listAddress(href("/doctor/appointments/book"), { day: day ?? "" })} />}
        >
          <LinkButton to={listAddress(href("/doctor/appointments"), { view: "cards" })} variant="quiet" size="sm">
            {m.agenda_view_cards()}
          </LinkButton>
          <LinkButton to={href("/doctor/appointments/day/:date", { date: day ?? today })} variant="quiet" size="sm">
            {m.appointments_day_sheet()}
          </LinkButton>
        </AgendaView>
      </AskFirst>
    </Page>
  );
}

const takeAt = (visitId: string) => href("/doctor/patient/:visitId/payment", { visitId });
const Others = ({ row }: { row: AgendaRow }) => (
  <>
    <LinkButton
      to={href("/doctor/patient/:id", { id: row.id })}
      variant="quiet"
      size="sm"
      aria-label={m.agenda_open_visit_of({ name: row.patientName })}
    >
      {m.agenda_open_visit()}
    </LinkButton>
    <ActionButton appointment={row} action="complete" variant="quiet" bare />
    <ActionButton appointment={row} action="undo-complete" variant="quiet" bare />
    <ActionButton appointment={row} action="cancel" variant="quiet" bare />
  </>
);
const PanelActions = ({ row, today }: { row: AgendaEntry; today: string }) => (
  <>
    <LinkButton to={href("/doctor/patient/:id", { id: row.id })} variant="second" full>
      {m.agenda_open_visit()}
    </LinkButton>
    {(row.status === "accepted" || row.status === "completed") && row.date <= today && (
      <LinkButton to={href("/doctor/visits/:id", { id: row.id })} variant="second" full>
        {m.visit_write()}
      </LinkButton>
    )}
    {row.payment.record && (
      <LinkButton to={takeAt(row.id)} variant="second" icon="indian-rupee">
        {recordWord(row.payment.record)}
      </LinkButton>
    )}
    <ActionButton appointment={row} action="undo-complete" variant="second" />
    {row.actions.includes("cancel") && (
      <LinkButton to={href("/doctor/patient/:id/time", { id: row.id })} variant="second">
        {m.proposals_link()}
      </LinkButton>
    )}
    <ActionButton appointment={row} action="cancel" variant="quiet" />
  </>
);

/** The text is in the URL, so that tabs, pages, reloading and Back preserve it. */
function SearchForm({ tab, search }: { tab: string; search: string }) {
  return (
    <search>
      <Form className="row flex-wrap" action={href("/doctor/appointments")}>
        <input type="hidden" name="tab" value={tab} />
        <label className="search grow mt-0">
          <span className="sr-only">{m.appointments_search()}</span>
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="q"
            defaultValue={search}
            maxLength={100}
            placeholder={m.appointments_search()}
            autoComplete="off"
          />
        </label>
        <Button type="submit" variant="second">
          {m.appointments_search_do()}
        </Button>
      </Form>
    </search>
  );
}

type ListProps = {
  tab: AppointmentTab;
  page: number;
  search: string;
  today: string;
  tokens: CardsData["tokens"];
  list: NonNullable<CardsData["list"]>;
  address: (change: { page?: number }) => string;
};
function List({ tab, page, search, today, tokens, list, address }: ListProps) {
  const { rows, unanswered, hasMore } = list;
  return (
    <>
      {unanswered.length > 0 && (
        <section className="mt-4" aria-labelledby="h-open">
          <h2 id="h-open">{m.appointments_unclosed()}</h2>
          <p className="text-sm text-ink-soft mb-3">{m.appointments_unclosed_text()}</p>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {unanswered.map((a) => (
              <AppointmentCard key={a.id} appointment={a} today={today} token={tokens[a.id]} />
            ))}
          </div>
        </section>
      )}
      <div className="mt-4">
        {rows.length > 0 ? (
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {rows.map((a, i) => (
              <AppointmentCard
                key={a.id}
                appointment={a}
                today={today}
                token={tokens[a.id]}
                next={tab === "upcoming" && page === 1 && i === 0 && !search}
              />
            ))}
          </div>
        ) : search ? (
          <EmptyState drawing="nothing-found" title={m.appointments_search_none({ text: search })}>
            {m.appointments_search_none_text()}
          </EmptyState>
        ) : (
          <EmptyState
            drawing="no-appointments"
            title={tab === "upcoming" ? m.appointments_none_upcoming() : m.appointments_none_in({ tab: TAB_WORDS[tab]().toLowerCase() })}
          >
            {tab === "upcoming" ? m.appointments_none_upcoming_text() : null}
          </EmptyState>
        )}
      </div>
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} />
    </>
  );
}

const Failed = ({ again }: { again: string }) => (
  <div className="mt-4 space-y-4">
    <Note tone="bad" role="alert">
      <h2>{m.appointments_load_failed()}</h2>
      <p>{m.appointments_load_failed_text()}</p>
    </Note>
    <LinkButton to={again} reloadDocument variant="second" icon="refresh-cw">
      {m.appointments_try_again()}
    </LinkButton>
  </div>
);

/** An agenda names the open appointment, so that screen readers announce it. */
export const meta: Route.MetaFunction = ({ loaderData }) => {
  const entry = loaderData?.view === "agenda" ? loaderData.entry : null;
  const title = m.appointments_doctor_title();
  return [{ title: m.ui_title({ page: entry ? `${title} · ${entry.patientName}` : title }) }];
};
