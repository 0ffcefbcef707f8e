import { href } from "react-router";
import { ReviewBadge } from "#app/domains/booking/reviews/components/review-badge.tsx";
import { ReviewEntry } from "#app/domains/booking/reviews/components/review-entry.tsx";
import { moderateReview } from "#app/domains/booking/reviews/moderate-review.server.ts";
import { getReview } from "#app/domains/booking/reviews/queries.server.ts";
import { canReview, isReplyShown, mayShowReply } from "#app/domains/booking/reviews/review.state.ts";
import { MAX_NOTE } from "#app/domains/booking/reviews/review.ts";
import { ModerateSchema } from "#app/domains/booking/reviews/reviews.schema.ts";
import { reportReasonWord } from "#app/domains/booking/reviews/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { ErrorSummary, type Field, Form, type NadiForm, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Badge, MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/review.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({ review: await getReview(ctx, params.id) }));

export const action = submitOwn(ModerateSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await moderateReview(ctx, { id: params.id, ...input });
  const done = {
    hide: m.reviews_done_hide,
    keep: m.reviews_done_keep,
    show: m.reviews_done_show,
    "hide-reply": m.reviews_done_hide_reply,
    "show-reply": m.reviews_done_show_reply,
  }[input.intent];
  return redirectWithToast(href("/admin/reviews"), done());
});

type Data = Route.ComponentProps["loaderData"];

export default function ModerateReview({ loaderData, actionData }: Route.ComponentProps) {
  const { review } = loaderData;
  const { status, rating } = review;
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "moderate", lastResult: actionData?.result ?? null });
  const [shown] = useNadiForm<Record<string, never>>({ id: "show-reply", lastResult: null });
  const reply = { status, reply: review.ownReply, replyHiddenReason: review.replyHiddenReason };
  const may = (action: "hide" | "show") => canReview(action, status, "admin");
  const author = review.author ?? m.reviews_someone();
  return (
    <Page title={m.reviews_admin_title()} titleAs="p" back={{ to: href("/admin/reviews"), label: m.reviews_admin_back() }}>
      <h1>{m.reviews_admin_of({ author, doctor: review.doctor })}</h1>
      <MetaLine className="mb-3">
        <ReviewBadge status={status} />
        {review.decidedAt && <span>{m.reviews_decided_at({ at: formatInstant(review.decidedAt) })}</span>}
      </MetaLine>
      {rating !== null && (
        <section className="card">
          <ReviewEntry
            review={{ ...review, reply: review.ownReply, rating, date: todayInIndia(review.createdAt), edited: review.editedAt !== null }}
          />
          {!review.words && <p className="text-ink-soft">{m.reviews_admin_no_words()}</p>}
        </section>
      )}
      <HiddenNotes review={review} />
      <p className="mt-2 alone">
        <AnyLink to={href("/admin/doctors/:id", { id: review.doctorId })}>{m.profile_change_case()}</AnyLink>
      </p>
      <Reports reports={review.reports} />
      {may("hide") && <HideForm form={form} field={fields.reason} review={review} canHideReply={isReplyShown(reply)} />}
      {may("show") && (
        <Form form={form} className="mt-7">
          <SubmitButton name="intent" value="show" full icon="eye" pendingText={m.reviews_showing()}>
            {m.reviews_show()}
          </SubmitButton>
        </Form>
      )}
      {status === "shown" && mayShowReply(reply) && (
        <Form form={shown} className="mt-7">
          <SubmitButton name="intent" value="show-reply" full variant="second" icon="eye" pendingText={m.reviews_showing()}>
            {m.reviews_reply_show()}
          </SubmitButton>
        </Form>
      )}
      {!may("hide") && !may("show") && <ErrorSummary form={form} />}
    </Page>
  );
}

const HideForm = ({ form, field, review, canHideReply }: { form: NadiForm; field: Field; canHideReply: boolean } & Data) => (
  <Form form={form} className="mt-7">
    <TextArea field={field} label={m.reviews_admin_reason()} hint={m.reviews_admin_reason_hint()} maxLength={MAX_NOTE} />
    <div className="mt-4 grid gap-2.5">
      {review.openReports > 0 && (
        <SubmitButton name="intent" value="keep" full icon="check" pendingText={m.reviews_keeping()}>
          {m.reviews_keep()}
        </SubmitButton>
      )}
      <SubmitButton name="intent" value="hide" variant="danger" full icon="eye-off" pendingText={m.reviews_hiding()}>
        {m.reviews_hide()}
      </SubmitButton>
      {canHideReply && (
        <SubmitButton name="intent" value="hide-reply" variant="danger" full icon="eye-off" pendingText={m.reviews_hiding()}>
          {m.reviews_reply_hide()}
        </SubmitButton>
      )}
    </div>
  </Form>
);

const Reports = ({ reports }: Pick<Data["review"], "reports">) => (
  <section className="card mt-7" aria-labelledby="h-reports">
    <h2 id="h-reports">{m.reviews_admin_reports_title()}</h2>
    {reports.length ? (
      <DividedList>
        {reports.map((report) => (
          <li key={report.id}>
            <p>
              {m.reviews_admin_report_by({
                reason: reportReasonWord(report.reason),
                role: report.role === "doctor" ? m.reviews_role_doctor() : m.reviews_role_patient(),
                at: formatInstant(report.createdAt),
              })}{" "}
              {report.decidedAt && <Badge>{m.reviews_admin_report_decided()}</Badge>}
            </p>
            {report.note && <p className="text-ink-soft whitespace-pre-line">{report.note}</p>}
          </li>
        ))}
      </DividedList>
    ) : (
      <p className="text-ink-soft mt-2">{m.reviews_admin_no_reports()}</p>
    )}
  </section>
);

/** Why the review or the doctor's reply is hidden. */
const HiddenNotes = ({ review }: Data) => (
  <>
    {review.hiddenReason && (
      <Note tone="warn" icon="eye-off" className="mt-2">
        <p className="whitespace-pre-line">{m.reviews_hidden_because({ reason: review.hiddenReason })}</p>
      </Note>
    )}
    {review.replyHiddenReason && (
      <Note tone="warn" icon="eye-off" className="mt-2">
        <p>{m.reviews_reply_hidden_badge()}</p>
        <p className="whitespace-pre-line">{m.reviews_hidden_because({ reason: review.replyHiddenReason })}</p>
      </Note>
    )}
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_admin_title() }) }];
