import { href } from "react-router";
import { SlotSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import type { SlotTaken } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { rescheduleAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { NearestTimes } from "#app/domains/booking/appointments/components/nearest-times.tsx";
import { VisitFacts, type VisitFactsProps } from "#app/domains/booking/appointments/components/visit-facts.tsx";
import { getPatientAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { changeRuleInHours, changeRuleWord } from "#app/domains/booking/appointments/words.ts";
import { ChooseTime, ChosenTime, timeTitle } from "#app/domains/booking/availability/components/choose-time.tsx";
import { getMonthView } from "#app/domains/booking/availability/month-view.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDay, parseTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import type { Route } from "./+types/appointment-reschedule.ts";
import { backToAppointment, joinAddress, type Origin } from "./appointment-links.ts";
import { originOf } from "./origin.server.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const appointment = await getPatientAppointment(ctx, params.id);
  const origin = originOf(request, params.id);
  // Also for a post that came too late: a redirect would look like success.
  if (!appointment.movable) return { appointment, origin, view: null, chosen: null };
  const query = new URL(request.url).searchParams;
  const month = query.get("month");
  const view = await getMonthView(
    ctx,
    appointment.doctorId,
    { month, date: query.get("date") ?? (month ? null : appointment.date) },
    appointment.practiceId,
  );
  return { appointment, origin, view, chosen: parseTime(query.get("time") ?? "") };
});

export const action = submitOwn(SlotSchema, async (ctx, slot, { params }: Route.ActionArgs) => {
  await rescheduleAppointment(ctx, { id: params.id, ...slot });
  return redirectWithToast(href("/patient/appointments/:id", { id: params.id }), m.appointments_rescheduled(), { stays: true });
});

export default function AppointmentReschedule({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, origin, view, chosen } = loaderData;
  const here = href("/patient/appointments/:id/reschedule", { id: appointment.id });
  const [form] = useNadiForm({ id: "reschedule", lastResult: actionData?.result });
  const taken = actionData?.detail as SlotTaken | undefined;
  const back = backToAppointment(appointment.id, origin);
  const address = (change: { month?: string; date?: string; time?: string }) => `${here}?${new URLSearchParams({ ...change, ...origin })}`;
  if (!view) return <Closed appointment={appointment} origin={origin} />;
  return (
    <Page wide wizard title={m.appointments_reschedule_title()} back={back}>
      <p className="mb-3">
        {m.appointments_reschedule_now({ doctor: appointment.doctorName })}{" "}
        <b>
          {formatDay(appointment.date)}, {visitTimeWord(appointment)}
        </b>
      </p>
      <Form form={form} action={address(view.date ? { date: view.date } : {})}>
        {taken?.nearest && <NearestTimes nearest={taken.nearest} address={address} elsewhere={address({})} />}
        {view.date && <input type="hidden" name="date" value={view.date} />}
        <ChooseTime view={view} address={address} chosen={chosen} own={appointment} />
        {appointment.token === null && (
          <p className="mt-2">
            <LinkButton to={joinAddress(appointment)} variant="quiet" size="sm" className="pl-0">
              {m.waitlist_tell_earlier()}
            </LinkButton>
          </p>
        )}
        <p className="text-sm text-ink-soft mt-2">{m.appointments_reschedule_note()}</p>
        <p className="text-sm text-ink-soft mt-2">{changeRuleInHours(appointment.movedByDoctor ? 0 : appointment.refundHours)}</p>
        <Dock>
          <ChosenTime view={view} note={appointment.doctorName} />
          <SubmitButton size="lg" disabled={!view.slots.some((s) => s.state === "free")}>
            {m.appointments_reschedule_yes()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

type ClosedProps = {
  appointment: VisitFactsProps["appointment"] & Parameters<typeof changeRuleWord>[0] & { id: string; doctorDelisted: boolean };
  origin: Origin;
};

function Closed({ appointment, origin }: ClosedProps) {
  const back = backToAppointment(appointment.id, origin);
  return (
    <Page title={m.appointments_reschedule_title()} titleAs="p" back={back}>
      <ConfirmCard
        icon="calendar-x"
        title={m.appointments_reschedule_closed()}
        text={appointment.doctorDelisted ? m.appointments_doctor_away() : appointment.cancellable && changeRuleWord(appointment)}
        actions={
          <>
            {appointment.cancellable && (
              <LinkButton to={href("/patient/appointments/:id/cancel", { id: appointment.id })} variant="second">
                {m.appointments_cancel()}
              </LinkButton>
            )}
            <LinkButton to={back.to} variant="second">
              {back.label}
            </LinkButton>
          </>
        }
      >
        <VisitFacts appointment={appointment} />
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData?.view
    ? timeTitle(m.appointments_reschedule_title(), loaderData.view)
    : [{ title: m.ui_title({ page: m.appointments_reschedule_title() }) }];
