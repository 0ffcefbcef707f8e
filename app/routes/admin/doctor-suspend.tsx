import { href } from "react-router";
import { SuspendSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { getCaseHead } from "#app/domains/credentials/cases/case-queries.server.ts";
import { ConfirmStatus } from "#app/domains/credentials/cases/components/confirm-status.tsx";
import { suspendDoctor } from "#app/domains/credentials/cases/suspend-doctor.server.ts";
import { canVerify } from "#app/domains/credentials/cases/verification.state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import type { Route } from "./+types/doctor-suspend.ts";

export const middleware = [requireFreshProof("suspend-doctor")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const { id, name, status } = await getCaseHead(ctx, params.id);
  return { id, name, status, legal: canVerify("suspend", status, "admin"), unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(SuspendSchema, async (ctx, { reason }, { params }: Route.ActionArgs) => {
  const doctor = await suspendDoctor(ctx, { doctorId: params.id, reason });
  return redirectWithToast(href("/admin/doctors/:id", { id: params.id }), m.admin_suspended({ doctor }), { stays: true });
});

export default function SuspendDoctor({ loaderData, actionData }: Route.ComponentProps) {
  const { name, unsent, ...doctor } = loaderData;
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "suspend", lastResult: actionData?.result ?? unsent });
  return (
    <ConfirmStatus
      doctor={doctor}
      action={m.admin_suspend()}
      icon="lock"
      title={m.admin_suspend_title({ doctor: name })}
      text={m.admin_suspend_text()}
    >
      <Form form={form}>
        <TextArea field={fields.reason} label={m.admin_suspend_reason()} hint={m.admin_sent_word_for_word()} maxLength={500} />
        <SubmitButton variant="danger" full className="mt-3" pendingText={m.admin_suspending()}>
          {m.admin_suspend()}
        </SubmitButton>
      </Form>
    </ConfirmStatus>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_suspend() }) }];
