import { href } from "react-router";
import { canDo, isAppointmentAction } from "#app/domains/appointment.state.ts";
import { CancelSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { changeAtPlace, MEMBER_ACTIONS, type MemberAction } from "#app/domains/booking/appointments/change-at-place.server.ts";
import { CancelFields, questionOf } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { getDoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { notInTime, wrongStateWord } from "#app/domains/booking/appointments/words.ts";
import { getAgendaRow } from "#app/domains/clinic/agenda/queries.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import type { DoctorAction } from "#app/domains/visit-time.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { asRefusal, orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { useNadiForm } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/confirm.ts";
import { deskOf, scopeOfDesk } from "./desk.server.ts";

/** Returns the action of the path. Moving has a page of its own; only patients reschedule and take a proposed time. */
function actionOf(text: string): DoctorAction {
  if (!isAppointmentAction(text) || text === "reschedule" || text === "take-proposal" || text === "move")
    throw new DomainError("not-found");
  return text;
}
function memberActionOf(text: string): MemberAction {
  const action = MEMBER_ACTIONS.find((one) => one === text);
  if (!action) throw new DomainError("not-found");
  return action;
}

/** Returns the page of the area on which the action was pressed. */
function cameFrom(area: "doctor" | "desk", request: Request): string {
  const from = safePath(new URL(request.url).searchParams.get("from"), "");
  if (area === "doctor") return /^\/doctor[-/]/.test(from) ? from : href("/doctor/appointments");
  return /^\/desk([?/]|$)/.test(from) ? from : href("/desk");
}

export const loader = load(async ({ context, params: { action: text, id }, request }: Route.LoaderArgs) => {
  const area = areaIn(context, "doctor", "desk");
  const from = cameFrom(area, request);
  if (area === "doctor") {
    const action = actionOf(text);
    const appointment = await getDoctorAppointment(actorCtxOf(context), id);
    return { area, action, from, appointment, legal: appointment.actions.includes(action) };
  }
  const action = memberActionOf(text);
  const desk = await deskOf(context, request);
  const appointment = await getAgendaRow(desk.ctx, scopeOfDesk(desk), id);
  return { area, action, from, appointment, legal: canDo(action, appointment.status, "doctor") };
});

const DONE = {
  accept: () => m.appointments_accepted(),
  complete: () => m.appointments_completed(),
  "undo-complete": () => m.appointments_undone(),
  cancel: () => m.appointments_cancelled(),
};

export async function action({ context, params: { action: text, id }, request }: Route.ActionArgs) {
  const area = areaIn(context, "doctor", "desk");
  const { action, change } = await orRefuse(() =>
    area === "doctor" ? changeOfDoctor(context, text, id) : changeAtDesk(context, request, text, id),
  );
  return submitForm(request, CancelSchema, async ({ reason, note }) => {
    await change({ ...(reason && { reason }), ...(note && { note }) });
    return redirectWithToast(cameFrom(area, request), DONE[action]());
  });
}

type Why = Pick<Parameters<typeof changeAppointment>[1], "reason" | "note">;
type Context = Route.ActionArgs["context"];

async function changeOfDoctor(context: Context, text: string, id: string) {
  const action = actionOf(text);
  const change = async (why: Why) => {
    try {
      await changeAppointment(actorCtxOf(context), { id, action, ...why });
    } catch (error) {
      throw withContext(action, asRefusal(error));
    }
  };
  return { action, change };
}

async function changeAtDesk(context: Context, request: Request, text: string, id: string) {
  const action = memberActionOf(text);
  const { ctx, place } = await deskOf(context, request);
  return { action, change: async (why: Why) => void (await changeAtPlace(ctx, { hospitalId: place.id, id, action, ...why })) };
}

/** Spec 000 §8: 'Error accepting appointment: {message}', with the error or 'Failed to accept appointment'. */
function withContext(action: DoctorAction, refusal: unknown): unknown {
  if (!(refusal instanceof DomainError)) return refusal;
  const { sentence, failed } = {
    accept: { sentence: m.appointments_error_accept, failed: m.appointments_failed_accept },
    complete: { sentence: m.appointments_error_complete, failed: m.appointments_failed_complete },
    "undo-complete": { sentence: m.appointments_error_undo, failed: m.appointments_failed_undo },
    cancel: { sentence: m.appointments_error_cancel, failed: m.appointments_failed_cancel },
  }[action];
  return new DomainError(refusal.code, sentence({ message: refusal.sentence ?? failed() }), { cause: refusal });
}

export default function AppointmentConfirm({ loaderData, actionData }: Route.ComponentProps) {
  const { action, appointment: a, from, legal, area } = loaderData;
  const isOwn = area === "doctor";
  const [form] = useNadiForm({ id: "confirm", lastResult: actionData?.result });
  const title = {
    accept: m.appointments_accept,
    complete: m.appointments_complete,
    cancel: m.appointments_cancel,
    "undo-complete": m.appointments_undo,
  }[action]();
  // Refused by the state or by the clock.
  const refusal = isOwn && canDo(action, a.status, "doctor") ? notInTime(a, action) : wrongStateWord(action, a.status);
  return (
    <Page title={title} titleAs="p" back={isOwn ? { to: from } : { to: from, label: m.agenda_to_agenda() }}>
      <ConfirmCard
        icon={action === "cancel" ? "calendar-x" : "calendar-days"}
        title={questionOf({ action, appointment: a })}
        actions={
          legal ? (
            <YesNo form={form} back={from} mild={action !== "cancel"}>
              {action === "cancel" && <CancelFields />}
            </YesNo>
          ) : (
            <LinkButton to={from} variant="second">
              {m.ui_back()}
            </LinkButton>
          )
        }
      >
        <Facts
          items={[
            [m.appointments_patient(), a.patientName],
            "doctorName" in a && [m.appointments_doctor(), a.doctorName],
            [m.appointments_when(), `${formatDay(a.date)}, ${visitTimeWord(a)}`],
            isOwn && [m.appointments_reason(), a.reason || m.appointments_not_specified()],
            [m.appointments_status(), <StatusBadge key="s" status={a.status} />],
          ]}
        />
        {legal && action === "cancel" && <p className="text-ink-soft mt-2">{m.appointments_cancel_final()}</p>}
        {!legal && (
          <Note tone="warn" role="alert">
            {actionData?.result.error?.[""]?.[0] ?? refusal}
          </Note>
        )}
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.area === "desk" ? m.desk_agenda() : m.appointments_doctor_title() }) },
];
