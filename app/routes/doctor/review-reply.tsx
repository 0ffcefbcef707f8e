import { href } from "react-router";
import { ReviewEntry } from "#app/domains/booking/reviews/components/review-entry.tsx";
import { getReviewToReply } from "#app/domains/booking/reviews/queries.server.ts";
import { replyToReview } from "#app/domains/booking/reviews/reply-to-review.server.ts";
import { MAX_WORDS } from "#app/domains/booking/reviews/review.ts";
import { ReplySchema } from "#app/domains/booking/reviews/reviews.schema.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ErrorSummary, Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/review-reply.ts";

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) => getReviewToReply(ctx, params.id));

export const action = submitOwn(ReplySchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const replied = await replyToReview(ctx, { id: params.id, ...input });
  return redirectWithToast(href("/doctor/reviews"), replied ? m.reviews_reply_sent() : m.reviews_reply_removed());
});

export default function ReviewReply({ loaderData, actionData }: Route.ComponentProps) {
  const { review, reply, hiddenReason } = loaderData;
  const hidden = hiddenReason !== null;
  const [form, fields] = useNadiForm<{ reply: string }>({
    id: "reply",
    lastResult: actionData?.result ?? null,
    defaultValue: { reply: reply ?? "" },
  });
  return (
    <Page title={m.reviews_reply_title()} back={{ to: href("/doctor/reviews"), label: m.reviews_doctor_title() }}>
      <section className="card mb-3">
        <ReviewEntry review={review} />
      </section>
      {hidden && (
        <Note tone="warn" icon="eye-off" className="mb-3">
          <p>{m.reviews_reply_is_hidden()}</p>
          <p className="mt-2 whitespace-pre-line">{m.reviews_hidden_because({ reason: hiddenReason })}</p>
        </Note>
      )}
      <Form form={form}>
        {hidden ? (
          <>
            <ErrorSummary form={form} />
            {reply && <p className="card whitespace-pre-line mb-3">{reply}</p>}
          </>
        ) : (
          <TextArea
            field={fields.reply}
            label={m.reviews_reply_label()}
            hint={m.reviews_reply_hint({ max: MAX_WORDS })}
            rows={5}
            maxLength={MAX_WORDS}
          />
        )}
        <div className="mt-4 grid gap-2.5">
          {!hidden && (
            <SubmitButton name="intent" value="save" full pendingText={m.reviews_sending()}>
              {m.reviews_reply_send()}
            </SubmitButton>
          )}
          {reply !== null && (
            <SubmitButton name="intent" value="remove" variant="quiet" full icon="trash-2" pendingText={m.reviews_reply_removing()}>
              {m.reviews_reply_remove()}
            </SubmitButton>
          )}
        </div>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_reply_title() }) }];
