import { href } from "react-router";
import { PatientAsks, ReadAndSign } from "#app/domains/visit/components/sign-at-once.tsx";
import { certificateSchema } from "#app/domains/visit/documents/certificate.schema.ts";
import { CERTIFICATE_TYPES } from "#app/domains/visit/documents/content.ts";
import { composeCertificate, signCertificate } from "#app/domains/visit/documents/sign-certificate.server.ts";
import { certificateText, certificateWord, type SignPreview, signPreview } from "#app/domains/visit/documents/words.ts";
import { asksOf, getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, RadioPicks, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/certificate.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { patient, date } = await getOwnVisit(ctx, params.id);
  return {
    id: params.id,
    name: patient.name,
    date,
    asks: asksOf({ patient, date }),
    types: CERTIFICATE_TYPES.map((value) => ({ value, label: certificateWord(value) })),
  };
});

/** What the form answers before the certificate is signed. */
type Preview = SignPreview & { text: string };

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const visit = await orRefuse(() => getOwnVisit(ctx, params.id));
  return submitForm(request, certificateSchema(visit.date), async ({ intent, seen, ...input }, _form, again) => {
    const content = await composeCertificate(ctx, visit, input);
    const text = certificateText(content);
    const preview = signPreview(content, certificateWord(content.type), [text]);
    // Only what was shown is signed: changed fields show the new text first.
    if (intent !== "sign" || seen !== preview.seen) return again({ ...preview, text } satisfies Preview);
    await signCertificate(ctx, params.id, input);
    return redirectWithToast(href("/doctor/visits/:id", { id: params.id }), m.certificate_signed_toast());
  });
}

type Fields = { type: string; from: string; until: string; words: string; age: string; dateOfBirth: string; gender: string };

/** The form of a sick leave or fitness certificate: fill in, read, sign. */
export default function Certificate({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, date, asks, types } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "certificate",
    lastResult: actionData?.result,
    defaultValue: { type: "sick-leave", from: date },
  });
  const preview = actionData?.detail as Preview | undefined;
  return (
    <Page wizard title={m.certificate_title()} back={{ to: href("/doctor/visits/:id", { id }) }}>
      <p className="text-ink-soft mb-3">
        {name}, {formatDate(date)}
      </p>
      <Form form={form}>
        <section className="card">
          <RadioPicks field={fields.type} label={m.certificate_type()} options={types} />
          <div className="field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2">
            <TextField field={fields.from} label={m.certificate_from()} type="date" />
            <TextField field={fields.until} label={m.certificate_until()} hint={m.certificate_until_hint()} type="date" optional />
          </div>
          <PatientAsks asks={asks} fields={fields} date={date} />
          <TextArea field={fields.words} label={m.certificate_words()} hint={m.certificate_words_hint()} optional maxLength={500} />
        </section>
        <ReadAndSign preview={preview} review={m.certificate_review()} sign={m.certificate_sign()}>
          <p lang="en">{preview?.text}</p>
        </ReadAndSign>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.certificate_title() }) }];
