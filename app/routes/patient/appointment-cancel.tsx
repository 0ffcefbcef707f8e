import { href } from "react-router";
import { z } from "zod";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { VisitFacts } from "#app/domains/booking/appointments/components/visit-facts.tsx";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { refundNowWord } from "#app/domains/booking/cancellation/refund-terms.server.ts";
import { platformFeeOf, sumsOf } from "#app/domains/money/payments/payment-line.ts";
import { listOwnVisitPayments } from "#app/domains/money/payments/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { minus, plus } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/appointment-cancel.ts";
import { backToAppointment, joinAddress } from "./appointment-links.ts";
import { originOf } from "./origin.server.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const appointment = await getPatientAppointment(ctx, params.id);
  const lines = await listOwnVisitPayments(ctx, appointment.id);
  const { received, refunded } = sumsOf(lines);
  const paid = minus(received, refunded);
  return {
    appointment,
    refund: appointment.cancellable ? refundNowWord(appointment, paid > 0 ? plus(paid, platformFeeOf(lines)) : paid, ctx.now) : "",
    origin: originOf(request, params.id),
  };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await changeAppointment(ctx, { id: params.id, action: "cancel" });
  return redirectWithToast(href("/patient/appointments/:id", { id: params.id }), m.appointments_cancelled());
});

export default function AppointmentCancel({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, refund, origin } = loaderData;
  const [form] = useNadiForm({ id: "cancel", lastResult: actionData?.result });
  const back = backToAppointment(appointment.id, origin);
  return (
    <Page title={m.appointments_cancel_title()} titleAs="p" back={back}>
      <ConfirmCard
        icon="calendar-x"
        title={m.appointments_cancel_question()}
        actions={
          appointment.cancellable ? (
            <YesNo form={form} yes={m.appointments_cancel_yes()} back={back.to} no={m.appointments_cancel_no()} />
          ) : (
            <LinkButton to={back.to} variant="second">
              {back.label}
            </LinkButton>
          )
        }
      >
        <VisitFacts appointment={appointment} />
        {refund && <Note>{refund}</Note>}
        {appointment.cancellable && !appointment.doctorDelisted && (
          <LinkButton to={joinAddress(appointment)} variant="quiet" size="sm" className="pl-0">
            {m.waitlist_cancel_instead()}
          </LinkButton>
        )}
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_cancel_title() }) }];
