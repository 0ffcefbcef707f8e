import { href } from "react-router";
import { ResultForm } from "#app/domains/visit/records/components/result-form.tsx";
import { addDoctorsResult, addMembersResult, getDoctorsOrder, getPlaceOfResults } from "#app/domains/visit/records/place-results.server.ts";
import { memberResultFormOn, placeResultFormOn } from "#app/domains/visit/records/records.schema.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { recordUpload } from "#app/http/uploads.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { TextField } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add.ts";

// One document of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

/** A doctor adds a result to an order of a consultation, which is in the path; a member of a place to the one whose code is typed. */
export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const today = todayInIndia(ctx.now);
  if (params.documentId === undefined) return { today, place: (await getPlaceOfResults(ctx, params.id)).name, order: null };
  const { patient, date } = await getDoctorsOrder(ctx, params.id, params.documentId);
  return { today, place: null, order: { patient, date } };
});

export async function action({ context, params: { id, documentId }, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const today = todayInIndia(ctx.now);
  const uploads = recordUpload(ctx);
  if (documentId !== undefined)
    return submitForm(
      request,
      placeResultFormOn(today),
      async (input) => {
        await addDoctorsResult(ctx, { visitId: id, orderId: documentId }, input);
        return redirectWithToast(href("/doctor/visits/:id", { id }), m.result_added_doctor());
      },
      { uploads },
    );
  // Before the file of a stranger is read.
  await orRefuse(() => getPlaceOfResults(ctx, id));
  return submitForm(
    request,
    memberResultFormOn(today),
    async ({ code, ...input }) => {
      await addMembersResult(ctx, id, code, input);
      return redirectWithToast(href("/clinic/:id/results", { id }), m.result_added());
    },
    { uploads },
  );
}

export default function AddResult({ loaderData: { today, place, order }, actionData, params: { id } }: Route.ComponentProps) {
  const back = order ? { to: href("/doctor/visits/:id", { id }) } : { to: href("/clinic/:id", { id }), label: place ?? "" };
  return (
    <Page wizard title={m.result_title()} back={back}>
      <p className="text-ink-soft mb-3">{order ? `${order.patient}, ${formatDate(order.date)}` : m.result_intro()}</p>
      <ResultForm
        today={today}
        lastResult={actionData?.result}
        first={(code) =>
          order ? (
            <Note className="mb-3">{m.result_doctor_note()}</Note>
          ) : (
            <TextField
              field={code}
              label={m.result_code()}
              hint={m.result_code_hint()}
              maxLength={40}
              autoComplete="off"
              spellCheck={false}
              required
            />
          )
        }
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.result_title() }) }];
