import { href } from "react-router";
import { HelpCancelSchema } from "#app/domains/oversight/visits/help-with-visit.schema.ts";
import { cancelForUser, getVisitToHelp } from "#app/domains/oversight/visits/help-with-visit.server.ts";
import { CANCEL_REASONS, cancelChoiceWord } from "#app/domains/visit-reasons.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SelectField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { Route } from "./+types/visit-cancel.ts";
import { RequestFields, RequestPage } from "./visit-request.tsx";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => getVisitToHelp(ctx, params.id));

export const action = submitOwn(HelpCancelSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await cancelForUser(ctx, { ...input, id: params.id });
  return redirectWithToast(href("/admin/appointments/:id", { id: params.id }), m.admin_visit_cancelled(), { stays: true });
});

export default function AdminVisitCancel({ loaderData: visit, actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ askedBy: string; why: string; reason: string }>({ id: "cancel", lastResult: actionData?.result });
  const policy = visit.refund === "full" ? m.refunds_back_all() : m.refunds_nothing();
  return (
    <RequestPage visit={visit} title={m.admin_visit_cancel()} refused={visit.changeable ? null : m.admin_visit_closed()}>
      <Form form={form}>
        <RequestFields
          askedBy={fields.askedBy}
          why={fields.why}
          words={{
            patient: m.admin_visit_asked_patient_cancel({ refund: policy }),
            doctor: m.admin_visit_asked_doctor_cancel({ refund: m.refunds_back_all() }),
          }}
        />
        <SelectField
          field={fields.reason}
          label={m.admin_visit_reason()}
          optional
          options={CANCEL_REASONS.map((value) => ({ value, label: cancelChoiceWord(value) }))}
        />
        <SubmitButton variant="danger" full pendingText={m.admin_visit_cancelling()}>
          {m.admin_visit_cancel()}
        </SubmitButton>
      </Form>
    </RequestPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_visit_cancel() }) }];
