import { m } from "#app/paraglide/messages.js";
import { Badge, Stars } from "#app/ui/pieces.tsx";
import type { Rating as RatingOf } from "../rating.ts";

/** Stars with the number of reviews, or "New" without reviews. */
export function Rating({ rating }: { rating: RatingOf }) {
  if (!rating) return <Badge>{m.directory_new()}</Badge>;
  return <Stars rating={rating.average}>{rating.count === 1 ? m.directory_review() : m.directory_reviews({ count: rating.count })}</Stars>;
}
