/** Average and number of the reviews that are shown; null while there are none. */
export type Rating = { average: number; count: number } | null;

/** From the sum and the number that domains/reviews keeps, to one decimal. */
export const ratingOf = ({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }): Rating =>
  ratingCount > 0 ? { average: Math.round((ratingSum / ratingCount) * 10) / 10, count: ratingCount } : null;
