import { m } from "#app/paraglide/messages.js";
import { Badge, Stars } from "#app/ui/pieces.tsx";
import type { Rating } from "../review.ts";
import { countWord } from "../words.ts";

/** Stars of a doctor or a hospital and how many reviews they are from; "New" where there are none. */
export function RatingLine({ rating: { sum, count } }: { rating: Rating }) {
  return count > 0 ? <Stars rating={sum / count}>{countWord(count)}</Stars> : <Badge>{m.reviews_new()}</Badge>;
}
