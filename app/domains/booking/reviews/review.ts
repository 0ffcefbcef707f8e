import type { ReportReason } from "#app/db/schema/index.ts";
import type { Rating } from "#app/domains/directory/rating.ts";
import type { DateKey } from "#app/lib/dates.ts";

/** A review as everyone may read it. `author` is null for a patient without a name. */
export type PublicReview = {
  id: string;
  rating: number;
  words: string | null;
  author: string | null;
  date: DateKey;
  edited: boolean;
  /** The doctor's visible reply. */
  reply: string | null;
};
/** A page of a doctor's reviews, from 1. `own`: the reader wrote it. Their page of the review can report the reply. */
export type ReviewPage = { rows: (PublicReview & { own: boolean })[]; page: number; hasMore: boolean; rating: Rating };

/** Reasons for reporting a review, in the order of the form. */
export const REASONS = ["abuse", "untrue", "private", "advert", "other"] as const satisfies readonly ReportReason[];

/** Most characters of a review. Not in the schema, so that the page does not load zod in the browser. */
export const MAX_WORDS = 600;
/** Most characters of a note about a review: of a report, or of an administrator who hides it. */
export const MAX_NOTE = 300;
