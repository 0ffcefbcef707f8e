import { data, href } from "react-router";
import { ActionButton, AskFirst } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { BookCallerLink } from "#app/domains/booking/appointments/components/caller-form.tsx";
import { DayMenu, DayStep } from "#app/domains/booking/appointments/components/day-step.tsx";
import { type AgendaFilter, type AgendaRow, agendaFilter } from "#app/domains/clinic/agenda/agenda.ts";
import type { AgendaChange } from "#app/domains/clinic/agenda/components/agenda-toolbar.tsx";
import { AgendaView } from "#app/domains/clinic/agenda/components/agenda-view.tsx";
import { getAgendaRow, listAgenda } from "#app/domains/clinic/agenda/queries.server.ts";
import { recordWord } from "#app/domains/money/payments/words.ts";
import { AnnouncementBanner } from "#app/domains/oversight/announcements/components/announcement-banner.tsx";
import { findBanner } from "#app/domains/oversight/announcements/queries.server.ts";
import { listSessionIds } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { listDayTokens } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LiveQueue } from "#app/realtime/live-queue.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ToolbarField, ToolbarForm, toolbarInput } from "#app/ui/staff/toolbar.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { chosenDoctor, deskOf } from "../agenda/desk.server.ts";
import { submitVisitPress } from "../agenda/press.server.ts";
import { PressAnswer } from "../agenda/press-answer.tsx";
import type { Route } from "./+types/agenda.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { headers, ctx, ...desk } = await deskOf(context, request).catch((error: unknown) => {
    // The landing of all staff. Billing staff and users without a place continue at /clinic.
    if (error instanceof DomainError && !new URL(request.url).searchParams.has("place")) throw redirectTo(href("/clinic"));
    throw error;
  });
  const { query, search, page } = listState(request);
  const { doctor, scope } = chosenDoctor(desk, request);
  const filter = agendaFilter(query, { search, page });
  const open = query.get("open");
  const agenda = await listAgenda(ctx, scope, filter);
  const entry = open ? await getAgendaRow(ctx, scope, open) : null;
  const today = todayInIndia(ctx.now);
  const tokens = await listDayTokens(ctx, entry ? [...agenda.rows, entry] : agenda.rows);
  const queues = await listSessionIds(ctx, scope, today);
  const banner = await findBanner(ctx);
  return data(
    {
      ...{ ...desk, doctor: doctor ?? "", agenda, tokens, queues, filter, entry },
      ...(banner && { banner }),
      ...{ today, now: timeInIndia(ctx.now) },
    },
    { headers },
  );
});

export const action = ({ context, request, url }: Route.ActionArgs) => submitVisitPress(actorCtxOf(context), { request, url });

/** The day of a place: the appointments of all its doctors. */
export default function Desk({ loaderData, actionData }: Route.ComponentProps) {
  const { place, places, doctors, doctor, agenda, tokens, queues, filter, entry, banner, today, now } = loaderData;
  const fixed: Record<string, string> = doctor ? { doctor } : {};
  const address = (change: AgendaChange) => listAddress(href("/desk"), { ...fixed, ...change });
  const takeAt = (visitId: string) => href("/clinic/:id/visits/:visitId/payment", { id: place.id, visitId });
  const { show, day, seen, search, page } = filter;
  const here = address({ show, day: day ?? "", seen: seen ? "1" : "", q: search, page });
  return (
    <Page wide="desk" title={m.desk_title({ place: place.name })}>
      <AnnouncementBanner banner={banner} />
      <LiveQueue sessionIds={queues} visits />
      <PressAnswer answer={actionData} />
      {doctors.length === 0 ? (
        <EmptyState drawing="care" title={m.desk_no_doctors()}>
          {m.desk_no_doctors_text()}
        </EmptyState>
      ) : (
        <AskFirst from={here} path="/desk/appointments">
          <AgendaView
            agenda={agenda}
            tokens={tokens}
            filter={filter}
            entry={entry}
            today={today}
            now={now}
            path={href("/desk")}
            fixed={fixed}
            address={address}
            acceptPage={listAddress(href("/desk/accept"), { doctor })}
            doctors
            choices={(doctors.length > 1 || places.length > 1) && <Choices {...{ places, place: place.id, doctors, doctor, filter }} />}
            moveTo={moveTo}
            queueAt={(session) => listAddress(href("/desk/queue"), { session })}
            action={(row, main) => (
              <DayStep
                row={{ ...row, due: row.payment.due }}
                token={tokens[row.id]}
                by="desk"
                {...{ today, takeAt }}
                {...(main && { main: "panel" as const })}
              />
            )}
            menu={(row) => (
              <>
                <DayMenu row={row} token={tokens[row.id]} by="desk" today={today} />
                <Move row={row} size="sm" />
                <ActionButton appointment={row} action="cancel" variant="quiet" bare />
              </>
            )}
            panelActions={(row) => <PanelActions row={row} takeAt={takeAt} />}
            main={<BookCallerLink to={listAddress(href("/desk/book"), { doctor, day: day ?? "" })} />}
          >
            <DaySheetLink to={listAddress(href("/desk/day/:date", { date: day ?? today }), { doctor })} />
          </AgendaView>
        </AskFirst>
      )}
    </Page>
  );
}

const PanelActions = ({ row, takeAt }: { row: AgendaRow; takeAt: (visitId: string) => string }) => (
  <>
    <Move row={row} />
    {row.payment.record && (
      <LinkButton to={takeAt(row.id)} variant="second" icon="indian-rupee">
        {recordWord(row.payment.record)}
      </LinkButton>
    )}
    <ActionButton appointment={row} action="cancel" variant="quiet" />
  </>
);

const DaySheetLink = ({ to }: { to: string }) => (
  <LinkButton to={to} variant="quiet" size="sm" icon="file-text">
    {m.appointments_day_sheet()}
  </LinkButton>
);

const moveTo = ({ id }: AgendaRow) => href("/desk/appointments/:id/move", { id });

/** The link to the free times of the doctor. An appointment that can be cancelled can be moved. */
const Move = ({ row, size }: { row: AgendaRow; size?: "sm" }) =>
  row.actions.includes("cancel") && (
    <LinkButton to={moveTo(row)} variant={size ? "quiet" : "second"} {...(size && { size })}>
      {m.proposals_link()}
    </LinkButton>
  );

type ChoicesProps = {
  places: { id: string; name: string }[];
  place: string;
  doctors: { id: string; name: string }[];
  doctor: string;
  filter: AgendaFilter;
};
/** Chooses place and doctor. The day or the filter stays. */
const Choices = ({ places, place, doctors, doctor, filter: { show, day } }: ChoicesProps) => (
  <ToolbarForm action={href("/desk")}>
    <input type="hidden" name={day ? "day" : "show"} value={day ?? show} />
    {places.length > 1 && <Choice label={m.desk_place()} name="place" chosen={place} choices={places} />}
    {doctors.length > 1 && (
      <Choice
        label={m.desk_doctor()}
        name="doctor"
        chosen={doctor}
        choices={[{ id: "", name: m.desk_all_doctors({ count: doctors.length }) }, ...doctors]}
      />
    )}
    <Button type="submit" variant="second" size="sm">
      {m.agenda_do_show()}
      <span className="sr-only"> {m.desk_doctor()}</span>
    </Button>
  </ToolbarForm>
);

type ChoiceProps = { label: string; name: string; chosen: string; choices: { id: string; name: string }[] };
const Choice = ({ label, name, chosen, choices }: ChoiceProps) => (
  <ToolbarField label={label}>
    <select className={toolbarInput} name={name} defaultValue={chosen} key={chosen}>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </ToolbarField>
);

/** Names the open appointment, so that screen readers announce it. */
export const meta: Route.MetaFunction = ({ loaderData }) => {
  const title = loaderData ? m.desk_title({ place: loaderData.place.name }) : m.desk_agenda();
  return [{ title: m.ui_title({ page: loaderData?.entry ? `${title} · ${loaderData.entry.patientName}` : title }) }];
};
