/** Average and number of visible reviews; null for none. */
export type Rating = { average: number; count: number } | null;

/** Calculates the average with one decimal from sum and count. */
export const ratingOf = ({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }): Rating =>
  ratingCount > 0 ? { average: Math.round((ratingSum / ratingCount) * 10) / 10, count: ratingCount } : null;
