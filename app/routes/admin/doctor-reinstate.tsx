import { href } from "react-router";
import { ReinstateSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { getCaseHead } from "#app/domains/credentials/cases/case-queries.server.ts";
import { ConfirmStatus } from "#app/domains/credentials/cases/components/confirm-status.tsx";
import { reinstateDoctor } from "#app/domains/credentials/cases/reinstate-doctor.server.ts";
import { canVerify } from "#app/domains/credentials/cases/verification.state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import type { Route } from "./+types/doctor-reinstate.ts";

export const middleware = [requireFreshProof("reinstate-doctor")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const { id, name, status } = await getCaseHead(ctx, params.id);
  return { id, name, status, legal: canVerify("reinstate", status, "admin"), unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(ReinstateSchema, async (ctx, { note }, { params }: Route.ActionArgs) => {
  const doctor = await reinstateDoctor(ctx, { doctorId: params.id, note });
  return redirectWithToast(href("/admin/doctors/:id", { id: params.id }), m.admin_reinstated({ doctor }));
});

export default function ReinstateDoctor({ loaderData, actionData }: Route.ComponentProps) {
  const { name, unsent, ...doctor } = loaderData;
  const [form, fields] = useNadiForm<{ note: string }>({ id: "reinstate", lastResult: actionData?.result ?? unsent });
  return (
    <ConfirmStatus
      doctor={doctor}
      action={m.admin_reinstate()}
      icon="badge-check"
      title={m.admin_reinstate_title({ doctor: name })}
      text={m.admin_reinstate_text()}
    >
      <Form form={form}>
        <TextArea field={fields.note} label={m.admin_reinstate_note()} optional maxLength={500} />
        <SubmitButton full className="mt-3">
          {m.admin_reinstate()}
        </SubmitButton>
      </Form>
    </ConfirmStatus>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_reinstate() }) }];
