import { href } from "react-router";
import { z } from "zod";
import { getWebhook } from "#app/domains/places/webhooks/deliveries.server.ts";
import { removeWebhook } from "#app/domains/places/webhooks/manage-webhooks.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/remove.ts";

const which = (params: Route.LoaderArgs["params"]) => ({ hospitalId: params.id, id: params.hookId });

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { endpoint } = await getWebhook(ctx, which(params));
  return { url: endpoint.url, website: new URL(endpoint.url).host };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await removeWebhook(ctx, which(params));
  return redirectWithToast(href("/clinic/:id/webhooks", { id: params.id }), m.hooks_removed());
});

export default function RemoveWebhook({ loaderData, actionData, params }: Route.ComponentProps) {
  const back = href("/clinic/:id/webhooks/:hookId", params);
  return (
    <ConfirmPage
      title={m.hooks_page()}
      back={{ to: back, label: loaderData.url }}
      icon="trash-2"
      question={m.hooks_remove_title({ website: loaderData.website })}
      text={m.hooks_remove_text()}
      answer={actionData}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.hooks_remove() }) }];
