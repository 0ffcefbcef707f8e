import { href } from "react-router";
import { z } from "zod";
import { getOwnRecord, removeOwnRecord } from "#app/domains/visit/records/save-record.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/remove.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { description } = await getOwnRecord(ctx, params.id);
  return { description };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await orRefuse(() => removeOwnRecord(ctx, params.id));
  return redirectWithToast(href("/patient/records"), m.records_deleted());
});

export default function RemoveRecord({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmPage
      title={m.records_delete_title()}
      back={{ to: href("/patient/records") }}
      icon="trash-2"
      question={m.records_delete_question({ name: loaderData.description })}
      text={m.records_delete_text()}
      answer={actionData}
      yes={m.records_delete_yes()}
      no={m.records_delete_no()}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.records_delete_title() }) }];
