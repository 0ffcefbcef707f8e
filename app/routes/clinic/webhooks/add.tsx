import { href } from "react-router";
import { WebhookFields } from "#app/domains/places/webhooks/components/webhook-fields.tsx";
import { listWebhooks } from "#app/domains/places/webhooks/deliveries.server.ts";
import { addWebhook } from "#app/domains/places/webhooks/manage-webhooks.server.ts";
import { WebhookSchema } from "#app/domains/places/webhooks/webhooks.schema.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add.ts";

export const middleware = [requireFreshProof("manage-webhook")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  await listWebhooks(ctx, params.id);
  return { unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(WebhookSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const hookId = await addWebhook(ctx, { ...input, hospitalId: params.id });
  return redirectWithToast(href("/clinic/:id/webhooks/:hookId/secret", { id: params.id, hookId }), m.hooks_added());
});

export default function AddWebhook({ loaderData, actionData, params }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ url: string; label: string; subjects: string[] }>({
    id: "webhook",
    lastResult: actionData?.result ?? loaderData.unsent,
    defaultValue: { subjects: ["appointment", "queue-entry"] },
  });
  return (
    <Page title={m.hooks_add()} back={{ to: href("/clinic/:id/webhooks", { id: params.id }), label: m.hooks_page() }}>
      <ErrorSummary form={form} />
      <Form form={form} className="card">
        <WebhookFields url={fields.url} label={fields.label} subjects={fields.subjects} />
        <SubmitButton full>{m.hooks_add()}</SubmitButton>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.hooks_add() }) }];
