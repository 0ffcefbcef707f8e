import { href } from "react-router";
import { WebhookFields } from "#app/domains/places/webhooks/components/webhook-fields.tsx";
import { getWebhook } from "#app/domains/places/webhooks/deliveries.server.ts";
import { saveWebhook } from "#app/domains/places/webhooks/manage-webhooks.server.ts";
import { WebhookSchema } from "#app/domains/places/webhooks/webhooks.schema.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/edit.ts";

export const middleware = [requireFreshProof("manage-webhook")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const { endpoint } = await getWebhook(ctx, { hospitalId: params.id, id: params.hookId });
  const { url, label, subjects } = endpoint;
  return { saved: { url, label, subjects }, unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(WebhookSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await saveWebhook(ctx, { ...input, hospitalId: params.id, id: params.hookId });
  return redirectWithToast(href("/clinic/:id/webhooks/:hookId", params), m.hooks_saved());
});

export default function EditWebhook({ loaderData, actionData, params }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ url: string; label: string; subjects: string[] }>({
    id: "webhook",
    lastResult: actionData?.result ?? loaderData.unsent,
    defaultValue: loaderData.saved,
  });
  return (
    <Page title={m.hooks_edit()} back={{ to: href("/clinic/:id/webhooks/:hookId", params), label: loaderData.saved.url }}>
      <ErrorSummary form={form} />
      <Form form={form} className="card">
        <WebhookFields url={fields.url} label={fields.label} subjects={fields.subjects} />
        <SubmitButton full>{m.hooks_save()}</SubmitButton>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.hooks_edit() }) }];
