import { href } from "react-router";
import { PatientAsks, ReadAndSign } from "#app/domains/visit/components/sign-at-once.tsx";
import { OrderForm } from "#app/domains/visit/documents/order.schema.ts";
import { COMMON_TESTS, ORDER_FIELDS } from "#app/domains/visit/documents/order.ts";
import { composeOrder, getOrder, signOrder } from "#app/domains/visit/documents/sign-order.server.ts";
import { type SignPreview, signPreview } from "#app/domains/visit/documents/words.ts";
import { asksOf, getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/order.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const visit = await getOwnVisit(ctx, params.id);
  const { patient, date } = visit;
  const asked = new URL(request.url).searchParams.get("replaces");
  const old = asked === null ? null : await orRefuse(() => getOrder(ctx, visit, asked));
  return {
    id: params.id,
    name: patient.name,
    date,
    asks: asksOf(visit),
    common: COMMON_TESTS,
    old: old && { id: old.id, tests: old.tests, words: old.words },
  };
});

/** What the form answers before the order is signed. */
type Preview = SignPreview & { tests: string[] };

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const visit = await orRefuse(() => getOwnVisit(ctx, params.id));
  return submitForm(request, OrderForm, async ({ intent, seen, ...input }, _form, again) => {
    const content = await composeOrder(ctx, visit, input);
    const { tests } = content;
    const preview = signPreview(content, m.order_title(), tests);
    // Only what was shown is signed: changed fields show the new text first.
    if (intent !== "sign" || seen !== preview.seen) return again({ ...preview, tests } satisfies Preview);
    await signOrder(ctx, params.id, input);
    return redirectWithToast(href("/doctor/visits/:id", { id: params.id }), m.order_signed_toast());
  });
}

type Fields = Record<(typeof ORDER_FIELDS)[number] | "words" | "age" | "dateOfBirth" | "gender", string>;

/** The form of an order of tests: fill in, read, sign. */
export default function Order({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, date, asks, common, old } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "order",
    lastResult: actionData?.result,
    defaultValue: { ...Object.fromEntries((old?.tests ?? []).map((test, i) => [ORDER_FIELDS[i]!, test])), words: old?.words ?? "" },
  });
  const preview = actionData?.detail as Preview | undefined;
  return (
    <Page wizard title={m.order_title()} back={{ to: href("/doctor/visits/:id", { id }) }}>
      <p className="text-ink-soft mb-3">
        {name}, {formatDate(date)}
      </p>
      <Form form={form}>
        {old && (
          <>
            <Note className="mb-3">{m.order_correcting()}</Note>
            <input type="hidden" name="replaces" value={old.id} />
          </>
        )}
        <section className="card" aria-labelledby="h-tests">
          <h2 id="h-tests">{m.order_tests()}</h2>
          <p className="text-sm text-ink-soft mb-3">{m.order_hint()}</p>
          <div className="field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2">
            {ORDER_FIELDS.map((field, i) => (
              <TextField
                key={field}
                field={fields[field]}
                label={m.order_test({ n: i + 1 })}
                list="common-tests"
                maxLength={120}
                autoComplete="off"
                optional={i > 0}
              />
            ))}
          </div>
          <PatientAsks asks={asks} fields={fields} date={date} />
          <TextArea field={fields.words} label={m.order_words()} hint={m.order_words_hint()} optional maxLength={500} />
          <datalist id="common-tests">
            {common.map((test) => (
              <option key={test} value={test} />
            ))}
          </datalist>
        </section>
        <ReadAndSign preview={preview} review={m.order_review()} sign={m.order_sign()}>
          <ol className="[&>li]:py-2 [&>li]:px-0 [&>li]:border-t [&>li]:border-t-line">
            {preview?.tests.map((test) => (
              <li key={test}>{test}</li>
            ))}
          </ol>
        </ReadAndSign>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.order_title() }) }];
