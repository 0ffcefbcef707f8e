import { href } from "react-router";
import { ResultForm } from "#app/domains/visit/records/components/result-form.tsx";
import { addDoctorsResult, getDoctorsOrder } from "#app/domains/visit/records/place-results.server.ts";
import { placeResultFormOn } from "#app/domains/visit/records/records.schema.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { recordUpload } from "#app/http/record-upload.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/result.ts";

// One document of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { patient, date } = await getDoctorsOrder(ctx, params.id, params.documentId);
  return { patient, date, today: todayInIndia(ctx.now) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const { id, documentId } = params;
  return submitForm(
    request,
    placeResultFormOn(todayInIndia(ctx.now)),
    async (input) => {
      await addDoctorsResult(ctx, { visitId: id, orderId: documentId }, input);
      return redirectWithToast(href("/doctor/visits/:id", { id }), m.result_added_doctor());
    },
    { uploads: recordUpload(ctx) },
  );
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

/** Adds a result to an order of tests of the doctor. */
export default function Result({ loaderData, actionData, params }: Route.ComponentProps) {
  const { patient, date, today } = loaderData;
  return (
    <Page wizard title={m.result_title()} back={{ to: href("/doctor/visits/:id", { id: params.id }) }}>
      <p className="text-ink-soft mb-3">
        {patient}, {formatDate(date)}
      </p>
      <ResultForm today={today} lastResult={actionData?.result} first={() => <Note className="mb-3">{m.result_doctor_note()}</Note>} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.result_title() }) }];
