import type { ReactNode } from "react";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import type { PublicReview } from "../review.ts";

/** A review. `children`: its actions. */
export function ReviewEntry({ review, children }: { review: Omit<PublicReview, "id">; children?: ReactNode }) {
  const { rating, words, author, date, edited, reply } = review;
  return (
    <div className="space-y-1">
      <p className="stars">
        <progress value={rating} max={5} aria-hidden="true" />
        <b>{rating}</b> <span className="sr-only">{m.ui_stars_of()}</span>
      </p>
      {words && <p className="whitespace-pre-line">{words}</p>}
      <div className="row">
        <MetaLine className="grow">
          <span>{m.reviews_by({ author: author ?? m.reviews_someone(), date: formatDate(date) })}</span>{" "}
          {edited && <span>{m.reviews_edited()}</span>}
        </MetaLine>
        {children && <div className="row">{children}</div>}
      </div>
      {reply && (
        <div className="card">
          <p className="text-sm">
            <b>{m.reviews_reply_of_doctor()}</b>
          </p>
          <p className="whitespace-pre-line">{reply}</p>
        </div>
      )}
    </div>
  );
}
