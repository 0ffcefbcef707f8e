import { href } from "react-router";
import { canDo } from "#app/domains/appointment.state.ts";
import { CancelSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { changeAtPlace, MEMBER_ACTIONS, type MemberAction } from "#app/domains/booking/appointments/change-at-place.server.ts";
import { CancelFields, questionOf } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { wrongStateWord } from "#app/domains/booking/appointments/words.ts";
import { getAgendaRow } from "#app/domains/clinic/agenda/queries.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { deskOf, scopeOfDesk } from "#app/http/desk.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
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
import type { Route } from "./+types/appointment-confirm.ts";

function actionOf(text: string): MemberAction {
  const action = MEMBER_ACTIONS.find((one) => one === text);
  if (!action) throw new DomainError("not-found");
  return action;
}

/** Returns the page of the desk on which the action was pressed. */
function cameFrom(request: Request): string {
  const from = safePath(new URL(request.url).searchParams.get("from"), "");
  return /^\/desk([?/]|$)/.test(from) ? from : href("/desk");
}

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const action = actionOf(params.action);
  const desk = await deskOf(context, request);
  const appointment = await getAgendaRow(desk.ctx, scopeOfDesk(desk), params.id);
  return { action, appointment, from: cameFrom(request), legal: canDo(action, appointment.status, "doctor") };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const action = await orRefuse(async () => actionOf(params.action));
  const { ctx, place } = await orRefuse(() => deskOf(context, request));
  return submitForm(request, CancelSchema, async ({ reason, note }) => {
    await changeAtPlace(ctx, { hospitalId: place.id, id: params.id, action, ...(reason && { reason }), ...(note && { note }) });
    return redirectWithToast(cameFrom(request), action === "accept" ? m.appointments_accepted() : m.appointments_cancelled());
  });
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function DeskConfirm({ loaderData, actionData }: Route.ComponentProps) {
  const { action, appointment: a, from, legal } = loaderData;
  const [form] = useNadiForm({ id: "confirm", lastResult: actionData?.result });
  return (
    <Page
      title={action === "accept" ? m.appointments_accept() : m.appointments_cancel()}
      titleAs="p"
      back={{ to: from, label: m.agenda_to_agenda() }}
    >
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
            [m.appointments_doctor(), a.doctorName],
            [m.appointments_when(), `${formatDay(a.date)}, ${visitTimeWord(a)}`],
            [m.appointments_status(), <StatusBadge key="s" status={a.status} />],
          ]}
        />
        {legal && action === "cancel" && <p className="text-ink-soft mt-2">{m.appointments_cancel_final()}</p>}
        {!legal && (
          <Note tone="warn" role="alert">
            {actionData?.result.error?.[""]?.[0] ?? wrongStateWord(action, a.status)}
          </Note>
        )}
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.desk_agenda() }) }];
