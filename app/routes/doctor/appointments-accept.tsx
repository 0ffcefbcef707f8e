import { href } from "react-router";
import { z } from "zod";
import { type AcceptOutcome, type AcceptResult, acceptRequests } from "#app/domains/clinic/agenda/accept-requests.server.ts";
import type { AgendaRow } from "#app/domains/clinic/agenda/agenda.ts";
import { AgendaTable } from "#app/domains/clinic/agenda/components/agenda-table.tsx";
import { listRequests, MOST_REQUESTS } from "#app/domains/clinic/agenda/queries.server.ts";
import { resultSentence } from "#app/domains/clinic/agenda/words.ts";
import { minutesUntil } from "#app/domains/visit-time.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { FieldError, Form, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/appointments-accept.ts";

export const handle = { agenda: true } satisfies PageHandle;

const AGENDA = `${href("/doctor/appointments")}?view=agenda`;
/** Patients of requests that start this soon are called as well. */
const SOON = 60;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const ids = new URL(request.url).searchParams.getAll("id");
  // Chosen appointments that were answered meanwhile are left out.
  const rows = (await listRequests(ctx, { doctorIds: [ctx.actor.userId], reasons: true }, ids)).filter((row) => row.status === "pending");
  const soon = rows.flatMap((row) => {
    const minutes = minutesUntil(ctx.now, row);
    return minutes > 0 && minutes <= SOON ? [{ id: row.id, name: row.patientName, phone: row.patientPhone, minutes }] : [];
  });
  return { rows, soon, today: todayInIndia(ctx.now) };
});

const AcceptSchema = z.object({
  visit: z
    .array(z.uuid(), { error: () => m.agenda_accept_missing() })
    .min(1, { error: () => m.agenda_accept_missing() })
    .max(MOST_REQUESTS),
});

export async function action({ context, request }: Route.ActionArgs) {
  return submitForm(request, AcceptSchema, async ({ visit }, _, again) => {
    const ctx = actorCtxOf(context);
    const results = await acceptRequests(
      ctx,
      { doctorIds: [ctx.actor.userId], reasons: false },
      { ids: visit, onFault: (error) => noteFault(error, "accept requests") },
    );
    if (results.every(({ outcome }) => outcome === "accepted"))
      return redirectWithToast(AGENDA, m.agenda_all_accepted({ count: results.length }));
    return again(results);
  });
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function AppointmentsAccept({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, soon, today } = loaderData;
  const [form, fields] = useNadiForm<{ visit: string[] }>({ id: "accept", lastResult: actionData?.result });
  const results = actionData?.detail as AcceptResult[] | undefined;
  return (
    <Page wide title={m.agenda_accept_title()} back={{ to: AGENDA, label: m.agenda_to_agenda() }} className="desk">
      {results ? (
        <Results results={results} />
      ) : rows.length === 0 ? (
        <EmptyState
          drawing="no-appointments"
          title={m.agenda_none_requests()}
          action={
            <LinkButton to={AGENDA} variant="second">
              {m.agenda_to_agenda()}
            </LinkButton>
          }
        />
      ) : (
        <Form form={form}>
          <div className="with-panel">
            <div>
              <AgendaTable
                rows={rows}
                today={today}
                openAt={(id) => href("/doctor/patient/:id", { id })}
                pick={(row) => <Tick row={row} name={fields.visit.name} />}
              />
              <FieldError field={fields.visit} />
            </div>
            <aside className="card panel" aria-labelledby="ask">
              <h2 id="ask">{m.agenda_accept_question({ count: rows.length })}</h2>
              <p className="mt">{m.agenda_accept_text()}</p>
              {soon.map(({ id, name, phone, minutes }) => (
                <Note key={id} tone="warn" className="mt">
                  {m.agenda_accept_soon({ name, count: minutes })}{" "}
                  <a className="num" href={`tel:${phone}`}>
                    {formatPhone(phone)}
                  </a>
                </Note>
              ))}
              <div className="decide">
                <SubmitButton full icon="check" pendingText={m.agenda_accept_doing()}>
                  {m.agenda_accept_do()}
                </SubmitButton>
                <LinkButton to={AGENDA} variant="quiet">
                  {m.agenda_accept_back()}
                </LinkButton>
              </div>
            </aside>
          </div>
        </Form>
      )}
    </Page>
  );
}

const Tick = ({ row, name }: { row: AgendaRow; name: string }) => (
  <label className="pick plain">
    <input type="checkbox" name={name} value={row.id} defaultChecked />
    <span>
      <span className="vh">{m.agenda_accept_of({ name: row.patientName, when: `${formatDay(row.date)}, ${formatTime(row.time)}` })}</span>
    </span>
  </label>
);

const OUTCOMES: Record<AcceptOutcome, () => string> = {
  accepted: () => m.agenda_one_accepted(),
  "was-accepted": () => m.agenda_one_was_accepted(),
  "was-completed": () => m.agenda_one_was_completed(),
  "was-cancelled": () => m.agenda_one_was_cancelled(),
  failed: () => m.agenda_one_failed(),
};

function Results({ results }: { results: AcceptResult[] }) {
  return (
    <section className="stack" aria-labelledby="results">
      <h2 id="results">{m.agenda_results()}</h2>
      <Note tone="warn" role="alert">
        {resultSentence(results)}
      </Note>
      <ul className="stack-s">
        {results.map(({ id, patientName, date, time, outcome }) => (
          <li key={id}>
            <b>{patientName}</b>, {formatDay(date)}, {formatTime(time)}: {OUTCOMES[outcome]()}
          </li>
        ))}
      </ul>
      <LinkButton to={AGENDA} variant="second">
        {m.agenda_to_agenda()}
      </LinkButton>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_accept_title() }) }];
