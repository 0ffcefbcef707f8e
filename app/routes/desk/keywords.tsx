import { data, href } from "react-router";
import { KeywordSchema } from "#app/domains/messages/keywords/keyword.schema.ts";
import { listKeywords, setKeyword } from "#app/domains/messages/keywords/keywords.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Card } from "#app/ui/pieces.tsx";
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
  const result = actionData?.result ?? null;
  const sent = result?.initialValue?.practiceId;
  return (
    <Page title={m.keyword_title()} back={{ to: href("/desk/messages"), label: m.inbox_back() }} className="space-y-4">
      <p>{m.keyword_about()}</p>
      {doctors.map((doctor) => (
        <Keyword key={doctor.practiceId} {...doctor} result={sent === doctor.practiceId ? result : null} />
      ))}
    </Page>
  );
}

type Own = Route.ComponentProps["loaderData"]["doctors"][number];
function Keyword({
  practiceId,
  doctor,
  keyword,
  result,
}: Own & { result: NonNullable<Route.ComponentProps["actionData"]>["result"] | null }) {
  const [form, fields] = useNadiForm<{ keyword: string }>({
    id: `k-${practiceId}`,
    lastResult: result,
    defaultValue: { keyword: keyword ?? "" },
  });
  return (
    <Card>
      <Form form={form}>
        <input type="hidden" name="practiceId" value={practiceId} />
        <TextField
          field={fields.keyword}
          label={m.keyword_of({ doctor })}
          hint={m.keyword_form()}
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
        />
        <SubmitButton className="mt-2" variant="second">
          {m.keyword_save()}
        </SubmitButton>
      </Form>
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.keyword_title() }) }];
