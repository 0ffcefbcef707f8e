import { data, href } from "react-router";
import { KeywordForm } from "#app/domains/messages/keywords/components/keyword-form.tsx";
import { KeywordSchema } from "#app/domains/messages/keywords/keyword.schema.ts";
import { listKeywords, setKeyword } from "#app/domains/messages/keywords/keywords.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Page } from "#app/ui/shell.tsx";
import { deskOf } from "../agenda/desk.server.ts";
import type { Route } from "./+types/keywords.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  if (!env().hasConversations) throw new DomainError("not-found");
  const { headers, ctx, place } = await deskOf(context, request);
  return data({ place, doctors: await listKeywords(ctx, place.id) }, { headers });
});

export async function action({ context, request }: Route.ActionArgs) {
  const { ctx, place } = await orRefuse(() => {
    if (!env().hasConversations) throw new DomainError("not-found");
    return deskOf(context, request);
  });
  return submitForm(request, KeywordSchema, async (input) => {
    await setKeyword(ctx, { hospitalId: place.id, ...input });
    return redirectWithToast(href("/desk/messages/keywords"), m.keyword_saved());
  });
}

/** The words that start a booking with each doctor of the clinic by message. */
export default function Keywords({ loaderData: { doctors }, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.keyword_title()} back={{ to: href("/desk/messages"), label: m.inbox_back() }} className="space-y-4">
      <p>{m.keyword_about()}</p>
      {doctors.map((own) => (
        <KeywordForm key={own.practiceId} own={own} label={m.keyword_of({ doctor: own.doctor })} result={actionData?.result} />
      ))}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.keyword_title() }) }];
