import { href } from "react-router";
import { isOpen } from "#app/domains/appointment.state.ts";
import { ChangeTimeSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { moveAtPlace, proposeAtPlace, viewChangeAtPlace } from "#app/domains/booking/appointments/change-at-place.server.ts";
import { ChangeTimeForms } from "#app/domains/booking/appointments/components/change-time-forms.tsx";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { findProposal } from "#app/domains/booking/appointments/proposals.server.ts";
import { getAgendaRow } from "#app/domains/clinic/agenda/queries.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { deskOf, scopeOfDesk } from "../agenda/desk.server.ts";
import type { Route } from "./+types/appointment-move.ts";

export const handle = { bar: false };

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const desk = await deskOf(context, request);
  const { id, date, time, status, patientName, doctorName } = await getAgendaRow(desk.ctx, scopeOfDesk(desk), params.id);
  const appointment = { id, date, time, patientName, doctorName };
  if (!isOpen({ status }) || hasStarted(desk.ctx.now, appointment)) return { appointment, proposal: null, view: null };
  const proposal = await findProposal(desk.ctx, id);
  return { appointment, proposal, view: await viewChangeAtPlace(desk.ctx, { hospitalId: desk.place.id, id, date, time }, request) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const { ctx, place } = await orRefuse(() => deskOf(context, request));
  const of = { hospitalId: place.id, id: params.id };
  return submitForm(request, ChangeTimeSchema, async (input) => {
    if (input.intent === "propose") {
      await proposeAtPlace(ctx, { ...of, options: input.times });
      return redirectWithToast(listAddress(href("/desk"), { open: params.id }), m.proposals_sent());
    }
    await moveAtPlace(ctx, { ...of, at: input.times });
    return redirectWithToast(listAddress(href("/desk"), { day: input.times.date }), m.proposals_moved());
  });
}

/** Moves an appointment to another free time of its doctor at the place, or proposes times to the patient. */
export default function DeskMove({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment: a, proposal, view } = loaderData;
  const back = { to: `${href("/desk")}?open=${a.id}`, label: m.agenda_to_agenda() };
  if (!view?.view.days.length)
    return (
      <Page title={m.proposals_title()} titleAs="p" back={back}>
        <ConfirmCard
          icon="calendar-x"
          title={view ? m.proposals_no_free() : m.proposals_closed()}
          actions={
            <LinkButton to={back.to} variant="second">
              {m.ui_back()}
            </LinkButton>
          }
        />
      </Page>
    );
  return (
    <Page title={m.proposals_title()} back={back}>
      <p className="mb-3">
        {m.proposals_now({ name: a.patientName })} <b>{whenWord(a)}</b>, {a.doctorName}
      </p>
      <ChangeTimeForms
        {...view}
        path={href("/desk/appointments/:id/move", { id: a.id })}
        proposed={proposal}
        atDesk
        result={actionData?.result}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.proposals_title() }) }];
