import { href } from "react-router";
import { z } from "zod";
import { getWebhookSecret, rotateWebhookSecret } from "#app/domains/places/webhooks/manage-webhooks.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { askForProof, requireFreshProof } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/secret.ts";

export const middleware = [requireFreshProof("manage-webhook")];

const which = (params: Route.LoaderArgs["params"]) => ({ hospitalId: params.id, id: params.hookId });

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) => getWebhookSecret(ctx, which(params)));

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(
    request,
    z.object({}),
    async () => {
      await rotateWebhookSecret(actorCtxOf(context), which(params));
      return redirectWithToast(href("/clinic/:id/webhooks/:hookId/secret", params), m.hooks_rotated());
    },
    { unproven: askForProof(request) },
  );
}

export default function Secret({ loaderData, actionData, params }: Route.ComponentProps) {
  const { url, secret, previousUntil } = loaderData;
  const [form] = useNadiForm({ id: "rotate", lastResult: actionData?.result ?? null });
  return (
    <Page title={m.hooks_secret()} back={{ to: href("/clinic/:id/webhooks/:hookId", params), label: url }}>
      <ErrorSummary form={form} />
      <section className="card">
        <p>{m.hooks_secret_text()}</p>
        <p className="mt-2 wrap-anywhere">
          <code>{secret}</code>
        </p>
        <CopyButton text={secret} done={m.hooks_secret_copied()}>
          {m.hooks_secret_copy()}
        </CopyButton>
      </section>
      {previousUntil ? (
        <p className="mt-7">{m.hooks_previous_until({ when: formatInstant(previousUntil) })}</p>
      ) : (
        <Form form={form} className="mt-7">
          <p className="mb-3">{m.hooks_rotate_text()}</p>
          <SubmitButton variant="second" full>
            {m.hooks_rotate()}
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.hooks_secret() }) }];
