import { href } from "react-router";
import { isOpen } from "#app/domains/appointment.state.ts";
import { ChangeTimeSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { readOwnChange } from "#app/domains/booking/appointments/caller-times.server.ts";
import { ChangeTimeForms } from "#app/domains/booking/appointments/components/change-time-forms.tsx";
import { getDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { findProposal, moveAppointment, proposeTimes } from "#app/domains/booking/appointments/proposals.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import type { Route } from "./+types/appointment-propose.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { id, date, time, patientName, status } = await getDoctorAppointment(ctx, params.id);
  const appointment = { id, date, time, patientName };
  if (!isOpen({ status }) || hasStarted(ctx.now, appointment)) return { appointment, proposal: null, view: null };
  return {
    appointment,
    proposal: await findProposal(ctx, id),
    view: await readOwnChange(ctx, appointment, request),
  };
});

export const action = submitOwn(ChangeTimeSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  if (input.intent === "move") await moveAppointment(ctx, { id: params.id, at: input.times });
  else await proposeTimes(ctx, { id: params.id, options: input.times });
  return redirectWithToast(
    href("/doctor/patient/:id", { id: params.id }),
    input.intent === "move" ? m.proposals_moved() : m.proposals_sent(),
  );
});

/** Two ways to change the time of an appointment: propose up to three times to the patient, or move it. */
export default function AppointmentPropose({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment: a, proposal, view } = loaderData;
  const back = { to: href("/doctor/patient/:id", { id: a.id }) };
  if (!view?.view.days.length)
    return (
      <Page title={m.proposals_title()} titleAs="p" back={back}>
        <ConfirmCard
          icon="calendar-x"
          title={view ? m.proposals_no_free() : m.proposals_closed()}
          actions={
            <>
              {view && <LinkButton to={href("/doctor/availability/add")}>{m.availability_add()}</LinkButton>}
              <LinkButton to={back.to} variant="second">
                {m.ui_back()}
              </LinkButton>
            </>
          }
        />
      </Page>
    );
  return (
    <Page title={m.proposals_title()} back={back}>
      <p className="mb-3">
        {m.proposals_now({ name: a.patientName })} <b>{whenWord(a)}</b>
      </p>
      <ChangeTimeForms {...view} path={href("/doctor/patient/:id/time", { id: a.id })} proposed={proposal} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.proposals_title() }) }];
