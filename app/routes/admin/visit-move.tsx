import { href } from "react-router";
import { FreeTimeSelect } from "#app/domains/booking/appointments/components/free-time-select.tsx";
import { HelpMoveSchema } from "#app/domains/oversight/visits/help-with-visit.schema.ts";
import { getVisitToHelp, listTimesToHelp, moveForUser } from "#app/domains/oversight/visits/help-with-visit.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { Route } from "./+types/visit-move.ts";
import { RequestFields, RequestPage } from "./visit-request.tsx";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const visit = await getVisitToHelp(ctx, params.id);
  return { visit, free: visit.changeable && visit.listed ? await listTimesToHelp(ctx, visit) : [] };
});

export const action = submitOwn(HelpMoveSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await moveForUser(ctx, { ...input, id: params.id });
  return redirectWithToast(href("/admin/appointments/:id", { id: params.id }), m.admin_visit_moved(), { stays: true });
});

export default function AdminVisitMove({ loaderData, actionData }: Route.ComponentProps) {
  const { visit, free } = loaderData;
  const [form, fields] = useNadiForm<{ askedBy: string; why: string; to: string }>({ id: "move", lastResult: actionData?.result });
  return (
    <RequestPage visit={visit} title={m.admin_visit_move()} refused={refusedWord(visit, free.length)}>
      <Form form={form}>
        <RequestFields
          askedBy={fields.askedBy}
          why={fields.why}
          words={{ patient: m.admin_visit_asked_patient_move(), doctor: m.admin_visit_asked_doctor_move() }}
        />
        <FreeTimeSelect
          id="to"
          name="to"
          label={m.proposals_move_to()}
          free={free}
          chosen={free.find((slot) => slot.date > visit.date) ?? free[0]}
        />
        <SubmitButton full pendingText={m.admin_visit_moving()}>
          {m.admin_visit_move()}
        </SubmitButton>
      </Form>
    </RequestPage>
  );
}

function refusedWord({ changeable, listed }: { changeable: boolean; listed: boolean }, times: number): string | null {
  if (!changeable) return m.admin_visit_closed();
  if (!listed) return m.admin_visit_delisted();
  return times ? null : m.admin_visit_no_free();
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_visit_move() }) }];
