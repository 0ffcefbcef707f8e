import { data, Form, href, useNavigation } from "react-router";
import { AskFirst } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { AppointmentCard } from "#app/domains/booking/appointments/components/appointment-card.tsx";
import { type AppointmentTab, listDoctorAppointments } from "#app/domains/booking/appointments/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Tabs } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages, Skeleton } from "#app/ui/states.tsx";
import { useLate } from "#app/ui/use-late.ts";
import type { Route } from "./+types/appointments.ts";

const TAB_NAMES = ["upcoming", "completed", "cancelled"] as const satisfies readonly AppointmentTab[];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { query, search, page } = listState(request);
  const tab = TAB_NAMES.find((t) => t === query.get("tab")) ?? "upcoming";
  const list = await listDoctorAppointments(ctx, { tab, page, search }).catch((error: unknown) => {
    noteFault(error, "appointments");
    return null;
  });
  return data({ tab, page, search, today: todayInIndia(ctx.now), list }, { status: list ? 200 : 503 });
});

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

const TAB_WORDS: Record<AppointmentTab, () => string> = {
  upcoming: () => m.appointments_tab_upcoming(),
  completed: () => m.appointments_status_completed(),
  cancelled: () => m.appointments_status_cancelled(),
};

export default function DoctorAppointments({ loaderData }: Route.ComponentProps) {
  const { tab, page, search, today, list } = loaderData;
  const navigation = useNavigation();
  const loading = useLate(navigation.state === "loading" && navigation.location.pathname === href("/doctor/appointments"));
  const address = (change: { tab?: string; page?: number; q?: string }) =>
    listAddress(href("/doctor/appointments"), { tab, q: search, ...change });
  return (
    <Page wide title={m.appointments_doctor_title()}>
      <div className="lead">
        <SearchForm key={search} tab={tab} search={search} />
        <p className="row wrap aside">
          <LinkButton to={href("/doctor/appointments/day/:date", { date: today })} variant="second" size="sm" icon="file-text">
            {m.appointments_day_sheet()}
          </LinkButton>
          <LinkButton to={href("/doctor/appointments.ics")} variant="second" size="sm" icon="calendar-plus" reloadDocument download>
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
        <p className="row wrap mt">
          <span className="grow">{m.appointments_search_for({ text: search })}</span>
          <LinkButton to={address({ q: "" })} variant="quiet" size="sm" icon="x">
            {m.appointments_search_clear()}
          </LinkButton>
        </p>
      )}
      {loading ? (
        <div className="section tight">
          <Skeleton label={m.appointments_loading()} lines={6} />
        </div>
      ) : list ? (
        <AskFirst from={address({ page })}>
          <List {...{ tab, page, search, today, list, address }} />
        </AskFirst>
      ) : (
        <Failed again={address({ page })} />
      )}
    </Page>
  );
}

/** The text is in the URL, so that tabs, pages, reloading and Back preserve it. */
function SearchForm({ tab, search }: { tab: string; search: string }) {
  return (
    <search>
      <Form className="row wrap" action={href("/doctor/appointments")}>
        <input type="hidden" name="tab" value={tab} />
        <label className="search grow">
          <span className="vh">{m.appointments_search()}</span>
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
  list: NonNullable<Route.ComponentProps["loaderData"]["list"]>;
  address: (change: { page?: number }) => string;
};
function List({ tab, page, search, today, list, address }: ListProps) {
  const { rows, unanswered, hasMore } = list;
  return (
    <>
      {unanswered.length > 0 && (
        <section className="section tight" aria-labelledby="h-open">
          <h2 id="h-open">{m.appointments_unclosed()}</h2>
          <p className="soft small mb">{m.appointments_unclosed_text()}</p>
          <div className="grid2">
            {unanswered.map((a) => (
              <AppointmentCard key={a.id} appointment={a} today={today} />
            ))}
          </div>
        </section>
      )}
      <div className="section tight">
        {rows.length > 0 ? (
          <div className="grid2">
            {rows.map((a, i) => (
              <AppointmentCard key={a.id} appointment={a} today={today} next={tab === "upcoming" && page === 1 && i === 0 && !search} />
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
  <div className="section tight stack">
    <Note tone="bad" role="alert">
      <h2>{m.appointments_load_failed()}</h2>
      <p>{m.appointments_load_failed_text()}</p>
    </Note>
    <LinkButton to={again} reloadDocument variant="second" icon="refresh-cw">
      {m.appointments_try_again()}
    </LinkButton>
  </div>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_doctor_title() }) }];
