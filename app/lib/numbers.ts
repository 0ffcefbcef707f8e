const grouped = new Intl.NumberFormat("en-IN");

/** "12,34,567": a count in Indian grouping; "10,000+" for a count above `most`, which was not counted to its end. */
export const formatCount = (count: number, most = Number.POSITIVE_INFINITY): string =>
  count > most ? `${grouped.format(most)}+` : grouped.format(count);
