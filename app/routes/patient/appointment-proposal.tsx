import { href } from "react-router";
import { AnswerProposalSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { ProposalAnswer } from "#app/domains/booking/appointments/components/proposal-answer.tsx";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { declineProposal, findProposal, takeProposal } from "#app/domains/booking/appointments/proposals.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/appointment-proposal.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const visit = await getPatientAppointment(ctx, params.id);
  const { id, date, time, doctorName, movable } = visit;
  return { visit: { id, date, time, doctorName }, movable, proposal: await findProposal(ctx, id) };
});

export const action = submitOwn(AnswerProposalSchema, async (ctx, { answer, proposal }, { params }: Route.ActionArgs) => {
  if (answer) await takeProposal(ctx, { id: params.id, proposal, at: answer });
  else await declineProposal(ctx, { id: params.id, proposal });
  const { status } = await getPatientAppointment(ctx, params.id);
  return redirectWithToast(
    href("/patient/appointments/:id", { id: params.id }),
    answer ? m.proposals_taken() : status === "cancelled" ? m.appointments_cancelled() : m.proposals_declined(),
  );
});

/** The answer to proposed times. The appointment's page shows the same choice; a refused answer is explained here. */
export default function AppointmentProposal({ loaderData, actionData }: Route.ComponentProps) {
  const { visit, movable, proposal } = loaderData;
  const { id } = visit;
  const problem = Object.values(actionData?.result.error ?? {}).flatMap((list) => list ?? [])[0];
  return (
    <Page title={m.proposals_patient_title()} back={{ to: href("/patient/appointments/:id", { id }) }}>
      {problem && (
        <Note tone="bad" role="alert" className="mb-3">
          {problem}
        </Note>
      )}
      {proposal ? <ProposalAnswer visit={visit} proposal={proposal} /> : !problem && <Note>{m.proposals_ended()}</Note>}
      <p className="row flex-wrap mt-2">
        <LinkButton to={href("/patient/appointments/:id", { id })} variant="second">
          {m.proposals_open_visit()}
        </LinkButton>
        {!proposal && movable && (
          <LinkButton to={href("/patient/appointments/:id/reschedule", { id })} variant="quiet" className="pl-0">
            {m.appointments_reschedule_title()}
          </LinkButton>
        )}
      </p>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.proposals_patient_title() }) }];
