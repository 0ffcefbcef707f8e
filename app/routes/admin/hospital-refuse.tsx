import { href } from "react-router";
import { RefuseHospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { getHospital } from "#app/domains/credentials/hospitals/queries.server.ts";
import { refuseHospital } from "#app/domains/credentials/hospitals/refuse-hospital.server.ts";
import { hospitalStatusWord } from "#app/domains/credentials/hospitals/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import type { Route } from "./+types/hospital-refuse.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, name, status, doctors } = await getHospital(ctx, params.id);
  return { id, name, status, waiting: (doctors["under review by hospital"] ?? 0) + (doctors["pending admin approval"] ?? 0) };
});

export const action = submitOwn(RefuseHospitalSchema, async (ctx, { reason }, { params }: Route.ActionArgs) => {
  const { returned, name } = await refuseHospital(ctx, { id: params.id, reason });
  return redirectWithToast(`${href("/admin/hospitals")}?status=pending`, m.admin_refused({ hospital: name, count: String(returned) }), {
    stays: true,
  });
});

export default function RefuseHospital({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, status, waiting } = loaderData;
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "refuse", lastResult: actionData?.result ?? null });
  const back = href("/admin/hospitals/:id", { id });
  return (
    <Page title={m.admin_refuse()} titleAs="p" back={{ to: back, label: m.admin_back_to_hospitals() }}>
      <ConfirmCard
        icon="hospital"
        title={m.admin_refuse_title({ hospital: name })}
        text={m.admin_refuse_text({ count: String(waiting) })}
        actions={
          <LinkButton to={back} variant="quiet">
            {m.ui_no()}
          </LinkButton>
        }
      >
        {status === "pending" ? (
          <Form form={form}>
            <TextArea field={fields.reason} label={m.admin_refuse_reason()} hint={m.admin_sent_word_for_word()} maxLength={500} />
            <SubmitButton variant="danger" full className="mt-3" pendingText={m.admin_refusing()}>
              {m.admin_refuse()}
            </SubmitButton>
          </Form>
        ) : (
          <Note tone="warn">{m.admin_hospital_wrong_state({ status: hospitalStatusWord(status) })}</Note>
        )}
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_refuse() }) }];
