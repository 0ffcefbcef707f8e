import { href } from "react-router";
import { ResultForm } from "#app/domains/visit/records/components/result-form.tsx";
import { addMembersResult, getPlaceOfResults } from "#app/domains/visit/records/place-results.server.ts";
import { memberResultFormOn } from "#app/domains/visit/records/records.schema.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { recordUpload } from "#app/http/record-upload.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { TextField } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/result.ts";

// One document of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { name } = await getPlaceOfResults(ctx, params.id);
  return { name, today: todayInIndia(ctx.now) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  // Before the file of a stranger is read.
  await orRefuse(() => getPlaceOfResults(ctx, params.id));
  return submitForm(
    request,
    memberResultFormOn(todayInIndia(ctx.now)),
    async ({ code, ...input }) => {
      await addMembersResult(ctx, params.id, code, input);
      return redirectWithToast(href("/clinic/:id/results", { id: params.id }), m.result_added());
    },
    { uploads: recordUpload(ctx) },
  );
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

/** Adds a result to an order of tests by the code on it, as a member of the place. */
export default function Result({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <Page wizard title={m.result_title()} back={{ to: href("/clinic/:id", { id: params.id }), label: loaderData.name }}>
      <p className="text-ink-soft mb-3">{m.result_intro()}</p>
      <ResultForm
        today={loaderData.today}
        lastResult={actionData?.result}
        first={(code) => (
          <TextField
            field={code}
            label={m.result_code()}
            hint={m.result_code_hint()}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            required
          />
        )}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.result_title() }) }];
