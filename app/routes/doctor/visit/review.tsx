import { data, Form, href } from "react-router";
import { z } from "zod";
import { composePrescription } from "#app/domains/visit/documents/compose.server.ts";
import { signVisit } from "#app/domains/visit/documents/sign-visit.server.ts";
import { signedPatientWord } from "#app/domains/visit/documents/words.ts";
import { getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { getDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { adviceWord, doseSentence } from "#app/domains/visit/medicines/dose-sentence.ts";
import { strengthAndForm } from "#app/domains/visit/medicines/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { asRefusal, orRefuse, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { isRestoring } from "#app/http/restoring.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { formatDate, formatDayLong } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/review.ts";

export const handle = { agenda: true, bar: false } satisfies PageHandle;

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const visit = await getOwnVisit(ctx, params.id);
  const saved = await getDraft(ctx, visit);
  if (!saved?.id) return redirectTo(href("/doctor/visits/:id", { id: params.id }));
  const { content, fields } = await composePrescription(ctx, visit, saved.draft);
  // The form shows what is wrong beside its fields.
  if (Object.keys(fields).length) return redirectTo(href("/doctor/visits/:id", { id: params.id }));
  const { patient, doctor, language } = content;
  return {
    id: params.id,
    version: saved.version,
    patient: `${patient.name}, ${signedPatientWord(content)}`,
    doctor: `${doctor.name}, ${doctor.qualification}, ${doctor.registration}`,
    date: formatDate(content.date),
    allergies: content.allergies,
    diagnosis: [content.diagnosis, content.diagnosisCode].filter(Boolean).join(", "),
    lines: content.lines.map((line) => ({
      name: line.name,
      what: [strengthAndForm(line), line.brand && `(${line.brand})`].filter(Boolean).join(" "),
      dose: doseSentence(line, "en"),
      own: language === "en" ? null : doseSentence(line, language),
      words: line.words,
    })),
    language,
    advice: [...content.advice.map((key) => adviceWord(key, "en")), content.adviceWords].filter(Boolean).join(" "),
    next: content.followUpOn && formatDayLong(content.followUpOn),
  };
});

const Sign = z.object({ version: z.coerce.number().int() });

export function action({ context, params, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = Sign.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    if (isRestoring()) return data({ message: "" });
    try {
      await signVisit(actorCtxOf(context), { visitId: params.id, version: posted.data.version });
    } catch (error) {
      const refusal = asRefusal(error);
      if (!(refusal instanceof DomainError) || refusal.code === "not-found") throw refusal;
      return data(
        { message: Object.values(refusal.fields ?? {})[0]?.[0] ?? refusalOf(refusal).message },
        { status: refusals[refusal.code].status },
      );
    }
    return redirectWithToast(href("/doctor/visits/:id", { id: params.id }), m.visit_signed_toast());
  });
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

/** What will be signed, and the button that signs it. */
export default function Review({ loaderData: r, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.visit_review_title()} back={{ to: href("/doctor/visits/:id", { id: r.id }) }}>
      {actionData && "message" in actionData && actionData.message && (
        <Note tone="bad" role="alert" className="mb">
          {actionData.message}
        </Note>
      )}
      <section className="card" aria-label={m.visit_prescription()}>
        <Facts
          items={[
            [m.visit_patient(), r.patient],
            [m.visit_date(), r.date],
            [m.visit_allergies(), r.allergies || m.visit_no_allergy()],
            r.diagnosis !== "" && [m.visit_diagnosis(), r.diagnosis],
          ]}
        />
        <ol className="signed-medicines section tight">
          {r.lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a review never move
            <li key={i}>
              <b className="generic-name">{line.name}</b> {line.what}
              <br />
              {line.dose}
              {line.own && (
                <p className="own-dose" lang={r.language}>
                  {line.own}
                </p>
              )}
              {line.words && <p className="soft">{line.words}</p>}
            </li>
          ))}
        </ol>
        {r.lines.length === 0 && <p className="soft">{m.visit_no_medicines()}</p>}
        <Facts
          items={[
            r.advice !== "" && [m.rx_advice(), r.advice],
            r.next !== null && [m.visit_follow(), r.next],
            [m.visit_signed_by(), r.doctor],
          ]}
        />
      </section>
      <p className="soft small section tight">{m.visit_sign_hint()}</p>
      <Form method="post" className="row wrap section tight">
        <input type="hidden" name="version" value={r.version} />
        <LinkButton to={href("/doctor/visits/:id", { id: r.id })} variant="second" size="lg">
          {m.visit_edit()}
        </LinkButton>
        <SubmitButton size="lg">{m.visit_sign()}</SubmitButton>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.visit_review_title() }) }];
