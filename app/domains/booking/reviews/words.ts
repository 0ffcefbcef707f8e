import type { ReportReason, ReviewStatus } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

export const reviewStatusWord = (status: ReviewStatus): string =>
  ({ shown: m.reviews_status_shown, hidden: m.reviews_status_hidden, withdrawn: m.reviews_status_withdrawn })[status]();

export const reportReasonWord = (reason: ReportReason): string =>
  ({
    abuse: m.reviews_reason_abuse,
    untrue: m.reviews_reason_untrue,
    private: m.reviews_reason_private,
    advert: m.reviews_reason_advert,
    other: m.reviews_reason_other,
  })[reason]();

/** "4 stars: good", 1 to 5. */
export const starWord = (stars: number): string =>
  [m.reviews_star_1, m.reviews_star_2, m.reviews_star_3, m.reviews_star_4, m.reviews_star_5][stars - 1]!();
