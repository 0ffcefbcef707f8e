import { href } from "react-router";
import { ReviewEntry } from "#app/domains/booking/reviews/components/review-entry.tsx";
import { getReportable } from "#app/domains/booking/reviews/queries.server.ts";
import { reportReview } from "#app/domains/booking/reviews/report-review.server.ts";
import { MAX_NOTE, REASONS } from "#app/domains/booking/reviews/review.ts";
import { ReportSchema } from "#app/domains/booking/reviews/reviews.schema.ts";
import { reportReasonWord } from "#app/domains/booking/reviews/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, RadioPicks, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/report.ts";

/** Redirects a user at the URL of the other area to their own. @throws a redirect */
function stayAtHome(role: string, id: string, pathname: string): void {
  const here = role === "doctor" ? href("/doctor/reviews/:id/report", { id }) : href("/patient/reviews/:id/report", { id });
  if (pathname !== here) throw redirectTo(here);
}
/** Returns the previous page of a role. */
const backOf = (role: string, doctorId: string) =>
  role === "doctor"
    ? { back: href("/doctor/reviews"), label: m.reviews_doctor_title() }
    : { back: href("/details/doctor/:id", { id: doctorId }), label: m.reviews_back_to_doctor() };

export const loader = loadOwn(async (ctx, { params, url }: Route.LoaderArgs) => {
  stayAtHome(ctx.actor.role, params.id, url.pathname);
  const found = await getReportable(ctx, params.id);
  return { ...found, ...backOf(ctx.actor.role, found.doctorId) };
});

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  stayAtHome(ctx.actor.role, params.id, url.pathname);
  return submitForm(request, ReportSchema, async (input) => {
    const { doctorId } = await getReportable(ctx, params.id);
    await reportReview(ctx, { id: params.id, ...input });
    return redirectWithToast(backOf(ctx.actor.role, doctorId).back, m.reviews_report_sent(), { stays: true });
  });
}

export default function ReportReview({ loaderData, actionData }: Route.ComponentProps) {
  const { review, reported, back, label } = loaderData;
  const [form, fields] = useNadiForm<{ reason: string; note: string }>({ id: "report", lastResult: actionData?.result ?? null });
  return (
    <Page title={m.reviews_report_title()} titleAs="p" back={{ to: back, label }}>
      <h1>{m.reviews_report_question()}</h1>
      <section className="card mt-4">
        <ReviewEntry review={review} />
      </section>
      {reported ? (
        <Note tone="ok" className="mt-4">
          {m.reviews_reported()}
        </Note>
      ) : (
        <Form form={form} className="mt-4">
          <RadioPicks
            field={fields.reason}
            label={m.reviews_report_reason()}
            options={REASONS.map((value) => ({ value, label: reportReasonWord(value) }))}
          />
          <TextArea field={fields.note} label={m.reviews_report_note()} optional maxLength={MAX_NOTE} />
          <p className="text-sm text-ink-soft mb-3">{m.reviews_report_text()}</p>
          <SubmitButton full pendingText={m.reviews_report_sending()}>
            {m.reviews_report_send()}
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_report_title() }) }];
