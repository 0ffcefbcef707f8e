import { href } from "react-router";
import { z } from "zod";
import { getOwnReview } from "#app/domains/booking/reviews/queries.server.ts";
import { withdrawReview } from "#app/domains/booking/reviews/save-review.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/review-withdraw.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const visit = await getOwnReview(ctx, params.id);
  // Nothing to delete: the page of the review shows its status.
  if (!visit.review || visit.review.status === "withdrawn")
    throw redirectTo(href("/patient/appointments/:id/review", { id: visit.appointmentId }));
  return { visit };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await withdrawReview(ctx, params.id);
  return redirectWithToast(href("/patient/calendar"), m.reviews_withdrawn());
});

export default function TakeBackReview({ loaderData, actionData }: Route.ComponentProps) {
  const { visit } = loaderData;
  const back = href("/patient/appointments/:id/review", { id: visit.appointmentId });
  return (
    <ConfirmPage
      title={m.reviews_write_title()}
      back={{ to: back, label: m.reviews_yours() }}
      icon="trash-2"
      question={m.reviews_withdraw_title()}
      text={m.reviews_withdraw_text()}
      answer={actionData}
      yes={m.reviews_withdraw_yes()}
      no={m.reviews_withdraw_no()}
    >
      <p>{m.reviews_visit_of({ doctor: visit.doctorName, date: formatDate(visit.date) })}</p>
    </ConfirmPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_withdraw() }) }];
