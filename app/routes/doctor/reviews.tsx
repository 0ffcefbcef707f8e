import { href } from "react-router";
import { ReviewEntry } from "#app/domains/booking/reviews/components/review-entry.tsx";
import { listOwnReviews } from "#app/domains/booking/reviews/queries.server.ts";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge, Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/reviews.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  return { page, ...(await listOwnReviews(ctx, page)) };
});

export default function DoctorReviewsPage({ loaderData }: Route.ComponentProps) {
  const { rows, rating, page, hasMore } = loaderData;
  const at = (to: number) => `${href("/doctor/reviews")}${to > 1 ? `?page=${to}` : ""}`;
  return (
    <Page title={m.reviews_doctor_title()} back={{ to: href("/doctor/profile") }}>
      <Rating rating={rating} />
      {rows.length > 0 ? (
        <>
          <p className="text-ink-soft mb-3">{m.reviews_doctor_text()}</p>
          <ul className="space-y-4">
            {rows.map(({ reported, replyHidden, ...review }) => (
              <Card as="li" key={review.id}>
                <ReviewEntry review={review}>
                  {replyHidden && (
                    <Badge tone="warn" icon="eye-off">
                      {m.reviews_reply_hidden_badge()}
                    </Badge>
                  )}
                  <ReplyLink id={review.id} author={review.author ?? m.reviews_someone()} isChange={review.reply !== null || replyHidden} />
                  {reported ? (
                    <p className="text-sm text-ink-soft">{m.reviews_reported()}</p>
                  ) : (
                    <LinkButton
                      to={href("/doctor/reviews/:id/report", { id: review.id })}
                      variant="quiet"
                      size="sm"
                      className="pl-0"
                      aria-label={m.reviews_report_of({ author: review.author ?? m.reviews_someone() })}
                    >
                      {m.reviews_report()}
                    </LinkButton>
                  )}
                </ReviewEntry>
              </Card>
            ))}
          </ul>
        </>
      ) : (
        <EmptyState drawing="no-reviews" title={m.reviews_doctor_none()}>
          {m.reviews_doctor_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={at} label={m.ui_pages()} previous={m.reviews_newer()} next={m.reviews_older()} />
    </Page>
  );
}

function ReplyLink({ id, author, isChange }: { id: string; author: string; isChange: boolean }) {
  return (
    <LinkButton
      to={href("/doctor/reviews/:id/reply", { id })}
      variant="quiet"
      size="sm"
      className="pl-0"
      aria-label={isChange ? m.reviews_reply_change_to({ author }) : m.reviews_reply_to({ author })}
    >
      {isChange ? m.reviews_reply_change() : m.reviews_reply()}
    </LinkButton>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.reviews_doctor_title() }) }];
