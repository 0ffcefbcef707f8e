import { href } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, SectionHead } from "#app/ui/pieces.tsx";
import { Pages } from "#app/ui/states.tsx";
import type { ReviewPage } from "../review.ts";
import { ReviewEntry } from "./review-entry.tsx";

/** Returns the page of reviews in a URL of the doctor's page (`?reviews=2`). */
export const reviewPageOf = (query: URLSearchParams): number => Math.min(1000, Math.max(1, Math.floor(Number(query.get("reviews")) || 1)));

/** Reviews on the doctor's public page. `base`: the URL of that page without a query. */
export function DoctorReviews({ reviews, base }: { reviews: ReviewPage; base: string }) {
  const { rows, page, hasMore, rating } = reviews;
  const at = (to: number) => `${base}${to > 1 ? `?reviews=${to}` : ""}#reviews`;
  return (
    <section className="mt-7 mb-3" aria-labelledby="reviews">
      <SectionHead>
        <h2 id="reviews">{m.reviews_title()}</h2>
        <Rating rating={rating} />
      </SectionHead>
      {rows.length > 0 ? (
        <>
          <p className="text-sm text-ink-soft">{m.reviews_after_visit()}</p>
          <ul className="space-y-4 mt-2">
            {rows.map((review) => (
              <Card as="li" key={review.id}>
                <ReviewEntry review={review}>
                  {!review.own && (
                    <LinkButton
                      to={href("/patient/reviews/:id/report", { id: review.id })}
                      variant="quiet"
                      size="sm"
                      className="pl-0"
                      aria-label={m.reviews_report_of({ author: review.author ?? m.reviews_someone() })}
                      rel="nofollow"
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
        <p className="text-ink-soft">{m.reviews_none_text()}</p>
      )}
      <Pages page={page} hasMore={hasMore} to={at} label={m.reviews_title()} previous={m.reviews_newer()} next={m.reviews_older()} />
    </section>
  );
}
