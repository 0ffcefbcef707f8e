import { href } from "react-router";
import { getOwnReview } from "#app/domains/booking/reviews/queries.server.ts";
import { MAX_WORDS } from "#app/domains/booking/reviews/review.ts";
import { ReviewSchema } from "#app/domains/booking/reviews/reviews.schema.ts";
import { saveReview } from "#app/domains/booking/reviews/save-review.server.ts";
import { starWord } from "#app/domains/booking/reviews/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { cameFrom, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, RadioPicks, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/review.ts";
import { backToAppointment, FROM_APPOINTMENT } from "./appointment-links.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => ({
  visit: await getOwnReview(ctx, params.id),
  // Also after the form is sent and reloaded: the page of the appointment.
  origin: cameFrom(request, "patient", new URL(request.url).pathname).startsWith(href("/patient/calendar")) ? {} : FROM_APPOINTMENT,
}));

export const action = submitOwn(ReviewSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const isNew = await saveReview(ctx, { appointmentId: params.id, ...input });
  return redirectWithToast(href("/patient/appointments/:id/review", { id: params.id }), isNew ? m.reviews_sent() : m.reviews_saved());
});

const STARS = [5, 4, 3, 2, 1];

type Data = Route.ComponentProps["loaderData"];
type OwnReview = NonNullable<Data["visit"]["review"]>;

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  const { visit, origin } = loaderData;
  const { review } = visit;
  const [form, fields] = useNadiForm<{ rating: string; words: string }>({
    id: "review",
    lastResult: actionData?.result ?? null,
    defaultValue: { rating: review?.rating ?? "", words: review?.words ?? "" },
  });
  const writable = visit.status === "completed" && (!review || review.editable);
  return (
    <Page title={m.reviews_write_title()} titleAs="p" back={backToAppointment(visit.appointmentId, origin)}>
      <h1>{review ? m.reviews_yours() : m.reviews_write_question()}</h1>
      <p className="text-ink-soft mb-3">{m.reviews_visit_of({ doctor: visit.doctorName, date: formatDate(visit.date) })}</p>
      {visit.status !== "completed" && <Note tone="warn">{m.reviews_not_completed()}</Note>}
      {review?.status === "withdrawn" && <Note>{m.reviews_is_withdrawn()}</Note>}
      {review?.status === "hidden" && (
        <Note tone="warn" icon="eye-off" className="mb-3">
          <p>{m.reviews_is_hidden()}</p>
          {review.hiddenReason && <p className="mt-2 whitespace-pre-line">{m.reviews_hidden_because({ reason: review.hiddenReason })}</p>}
        </Note>
      )}
      {writable ? (
        <Form form={form}>
          <RadioPicks
            field={fields.rating}
            label={m.reviews_rating()}
            options={STARS.map((stars) => ({ value: String(stars), label: <StarLine stars={stars} /> }))}
          />
          <TextArea
            field={fields.words}
            label={m.reviews_words()}
            hint={m.reviews_words_hint({ max: MAX_WORDS })}
            optional
            rows={5}
            maxLength={MAX_WORDS}
          />
          <p className="text-sm text-ink-soft mb-3">{m.reviews_signed({ author: visit.author ?? m.reviews_someone() })}</p>
          <SubmitButton full size="lg" pendingText={m.reviews_sending()}>
            {review ? m.reviews_save() : m.reviews_send()}
          </SubmitButton>
        </Form>
      ) : (
        <>
          <ErrorSummary form={form} />
          {review?.rating != null && (
            <section className="card">
              <StarLine stars={review.rating} />
              {review.words && <p className="whitespace-pre-line mt-2">{review.words}</p>}
            </section>
          )}
        </>
      )}
      {review && review.status !== "withdrawn" && <Published visit={visit} review={review} />}
    </Page>
  );
}

/** The doctor's reply, until when the review may change, and how to take it back. */
const Published = ({ visit, review }: Pick<Data, "visit"> & { review: OwnReview }) => (
  <section className="mt-7">
    {review.reply && (
      <div className="card mb-3">
        <p className="text-sm">
          <b>{m.reviews_reply_of_doctor()}</b>
        </p>
        <p className="whitespace-pre-line">{review.reply}</p>
        <LinkButton to={href("/patient/reviews/:id/report", { id: review.id })} variant="quiet" size="sm" className="pl-0">
          {m.reviews_reply_report()}
        </LinkButton>
      </div>
    )}
    {review.status === "shown" && (
      <p className="text-sm text-ink-soft mb-3">
        {review.editable ? m.reviews_editable_until({ date: formatDate(review.editableUntil) }) : m.reviews_edit_over()}
      </p>
    )}
    <p className="row flex-wrap">
      {visit.isPublic && (
        <LinkButton to={`${href("/details/doctor/:id", { id: visit.doctorId })}#reviews`} variant="second">
          {m.reviews_to_doctor()}
        </LinkButton>
      )}
      <LinkButton to={href("/patient/appointments/:id/review/take-back", { id: visit.appointmentId })} variant="quiet" icon="trash-2">
        {m.reviews_withdraw()}
      </LinkButton>
    </p>
  </section>
);

const StarLine = ({ stars }: { stars: number }) => (
  <span className="stars">
    <b aria-hidden="true">{"★".repeat(stars)}</b> {starWord(stars)}
  </span>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_write_title() }) }];
