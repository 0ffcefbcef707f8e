import { href } from "react-router";
import { z } from "zod";
import { type AcceptOutcome, type AcceptResult, acceptRequests } from "#app/domains/clinic/agenda/accept-requests.server.ts";
import type { AgendaRow } from "#app/domains/clinic/agenda/agenda.ts";
import { AgendaTable } from "#app/domains/clinic/agenda/components/agenda-table.tsx";
import { listRequests, MOST_REQUESTS } from "#app/domains/clinic/agenda/queries.server.ts";
import { resultSentence } from "#app/domains/clinic/agenda/words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { minutesUntil } from "#app/domains/visit-time.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault, orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { FieldError, Form, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { WithPanel } from "#app/ui/staff/with-panel.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/accept-requests.ts";
import { scopeOf } from "./scope.server.ts";

/** Patients of requests that start this soon are called as well. */
const SOON = 60;

/** Loads the requests that the page asks about: those of `?id=`, or all. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, own, scope, agenda } = await scopeOf({ context, request });
  const ids = new URL(request.url).searchParams.getAll("id");
  // Chosen appointments that were answered meanwhile are left out.
  const rows = (await listRequests(ctx, scope, ids)).filter((row) => row.status === "pending");
  const soon = rows.flatMap((row) => {
    const minutes = minutesUntil(ctx.now, row);
    return minutes > 0 && minutes <= SOON ? [{ id: row.id, name: row.patientName, phone: row.patientPhone, minutes }] : [];
  });
  return { rows, soon, today: todayInIndia(ctx.now), own, agenda };
});

const AcceptSchema = z.object({
  visit: z
    .array(z.uuid(), { error: () => m.agenda_accept_missing() })
    .min(1, { error: () => m.agenda_accept_missing() })
    .max(MOST_REQUESTS),
});

export async function action({ context, request }: Route.ActionArgs) {
  const { ctx, scope, agenda } = await orRefuse(() => scopeOf({ context, request }));
  return submitForm(request, AcceptSchema, async ({ visit }, _, again) => {
    const results = await acceptRequests(ctx, scope, { ids: visit, onFault: (error) => noteFault(error, "accept requests") });
    if (results.every(({ outcome }) => outcome === "accepted"))
      return redirectWithToast(agenda, m.agenda_all_accepted({ count: results.length }));
    return again(results);
  });
}

/** Confirms accepting several requests, with a ticked box for each. */
type Data = Route.ComponentProps["loaderData"];

export default function AcceptRequests({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, soon, today, own, agenda } = loaderData;
  const [form, fields] = useNadiForm<{ visit: string[] }>({ id: "accept", lastResult: actionData?.result ?? null });
  const results = actionData?.detail as AcceptResult[] | undefined;
  return (
    <Page wide="desk" title={m.agenda_accept_title()} back={{ to: agenda, label: m.agenda_to_agenda() }}>
      {results ? (
        <Results results={results} agenda={agenda} />
      ) : rows.length === 0 ? (
        <EmptyState
          drawing="no-appointments"
          title={m.agenda_none_requests()}
          action={
            <LinkButton to={agenda} variant="second">
              {m.agenda_to_agenda()}
            </LinkButton>
          }
        />
      ) : (
        <Form form={form}>
          <WithPanel above labelledBy="ask" panel={<Question rows={rows} soon={soon} agenda={agenda} />}>
            <AgendaTable
              rows={rows}
              today={today}
              openAt={(id) => (own ? href("/doctor/patient/:id", { id }) : `${href("/desk")}?open=${id}`)}
              doctors={!own}
              beside
              pick={(row) => <Tick row={row} name={fields.visit.name} />}
            />
            <FieldError field={fields.visit} />
          </WithPanel>
        </Form>
      )}
    </Page>
  );
}

const Question = ({ rows, soon, agenda }: Pick<Data, "rows" | "soon" | "agenda">) => (
  <div className="card">
    <h2 id="ask" className="mt-0.5">
      {m.agenda_accept_question({ count: rows.length })}
    </h2>
    <p className="mt-2">{m.agenda_accept_text()}</p>
    {soon.map(({ id, name, phone, minutes }) => (
      <Note key={id} tone="warn" className="mt-2">
        {m.agenda_accept_soon({ name, count: minutes })}{" "}
        <a className="num" href={`tel:${phone}`}>
          {formatPhone(phone)}
        </a>
      </Note>
    ))}
    <div className="mt-4 grid gap-2.5">
      <SubmitButton full icon="check" pendingText={m.agenda_accept_doing()}>
        {m.agenda_accept_do()}
      </SubmitButton>
      <LinkButton to={agenda} variant="quiet">
        {m.agenda_accept_back()}
      </LinkButton>
    </div>
  </div>
);

const Tick = ({ row, name }: { row: AgendaRow; name: string }) => (
  <Pick look="mark" className="min-w-target-min" type="checkbox" name={name} value={row.id} defaultChecked>
    <span className="sr-only">{m.agenda_accept_of({ name: row.patientName, when: `${formatDay(row.date)}, ${visitTimeWord(row)}` })}</span>
  </Pick>
);

const OUTCOMES: Record<AcceptOutcome, () => string> = {
  accepted: () => m.agenda_one_accepted(),
  "was-accepted": () => m.agenda_one_was_accepted(),
  "was-completed": () => m.agenda_one_was_completed(),
  "was-cancelled": () => m.agenda_one_was_cancelled(),
  failed: () => m.agenda_one_failed(),
};

function Results({ results, agenda }: { results: AcceptResult[]; agenda: string }) {
  return (
    <section className="space-y-4" aria-labelledby="results">
      <h2 id="results">{m.agenda_results()}</h2>
      <Note tone="warn" role="alert">
        {resultSentence(results)}
      </Note>
      <ul className="space-y-1">
        {results.map(({ id, patientName, date, time, outcome }) => (
          <li key={id}>
            <b>{patientName}</b>, {formatDay(date)}, {formatTime(time)}: {OUTCOMES[outcome]()}
          </li>
        ))}
      </ul>
      <LinkButton to={agenda} variant="second">
        {m.agenda_to_agenda()}
      </LinkButton>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_accept_title() }) }];
