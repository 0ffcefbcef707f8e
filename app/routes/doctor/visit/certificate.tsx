import { href } from "react-router";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { certificateSchema } from "#app/domains/visit/documents/certificate.schema.ts";
import { CERTIFICATE_TYPES } from "#app/domains/visit/documents/content.ts";
import { previewCertificate, signCertificate } from "#app/domains/visit/documents/sign-certificate.server.ts";
import { certificateText, certificateWord } from "#app/domains/visit/documents/words.ts";
import { getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, RadioPicks, SelectField, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/certificate.ts";

export const handle = { agenda: true, bar: false } satisfies PageHandle;

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const { patient, date } = await getOwnVisit(actorCtxOf(context), params.id);
  return {
    id: params.id,
    name: patient.name,
    date,
    asks: { age: patient.age === null, gender: patient.gender === null },
    types: CERTIFICATE_TYPES.map((value) => ({ value, label: certificateWord(value) })),
  };
});

/** What the doctor reads before signing. `seen`: the same in one line, sent back with the signature. */
type Preview = { title: string; text: string; words: string; patient: string; doctor: string; seen: string };

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const { date } = await orRefuse(() => getOwnVisit(ctx, params.id));
  return submitForm(request, certificateSchema(date), async ({ intent, seen, ...input }, _form, again) => {
    const content = await previewCertificate(ctx, params.id, input);
    const { patient, doctor } = content;
    const preview = {
      title: certificateWord(content.type),
      text: certificateText(content),
      words: content.words,
      patient: `${patient.name}, ${patient.age}, ${genderWord(patient.gender).toLowerCase()}`,
      doctor: `${doctor.name}, ${doctor.qualification}, ${doctor.registration}`,
    };
    const now = Object.values(preview).join(" | ");
    // Only what was shown is signed: changed fields show the new text first.
    if (intent !== "sign" || seen !== now) return again({ ...preview, seen: now } satisfies Preview);
    await signCertificate(ctx, params.id, input);
    return redirectWithToast(href("/doctor/visits/:id", { id: params.id }), m.certificate_signed_toast());
  });
}

type Fields = { type: string; from: string; until: string; words: string; age: string; gender: string };

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
      <p className="soft mb">
        {name}, {formatDate(date)}
      </p>
      <Form form={form}>
        <section className="card">
          <RadioPicks field={fields.type} label={m.certificate_type()} options={types} />
          <div className="grid2 field">
            <TextField field={fields.from} label={m.certificate_from()} type="date" />
            <TextField field={fields.until} label={m.certificate_until()} hint={m.certificate_until_hint()} type="date" optional />
          </div>
          {asks.age && <TextField field={fields.age} label={m.visit_patient_age()} inputMode="numeric" maxLength={3} />}
          {asks.gender && (
            <SelectField
              field={fields.gender}
              label={m.visit_patient_gender()}
              placeholder={m.visit_choose()}
              options={GENDERS.map((value) => ({ value, label: genderWord(value) }))}
            />
          )}
          <TextArea field={fields.words} label={m.certificate_words()} hint={m.certificate_words_hint()} optional maxLength={500} />
        </section>
        {preview && (
          <section className="card section tight" aria-labelledby="h-preview" role="status">
            <h2 id="h-preview">{preview.title}</h2>
            <p lang="en">{preview.text}</p>
            {preview.words && <p className="pre">{preview.words}</p>}
            <Facts
              items={[
                [m.visit_patient(), preview.patient],
                [m.visit_signed_by(), preview.doctor],
              ]}
            />
            <p className="soft small">{m.certificate_hint()}</p>
            <input type="hidden" name="seen" value={preview.seen} />
          </section>
        )}
        <Dock>
          <SubmitButton name="intent" value="review" size="lg" {...(preview && { variant: "second" as const })}>
            {preview ? m.certificate_review_again() : m.certificate_review()}
          </SubmitButton>
          {preview && (
            <SubmitButton name="intent" value="sign" size="lg">
              {m.certificate_sign()}
            </SubmitButton>
          )}
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.certificate_title() }) }];
