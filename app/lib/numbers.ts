/** Writes a whole number in Indian grouping: "12,34,567". By hand, because the first `Intl.NumberFormat` of a page takes a phone 0.1 s. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(?:\d\d)*\d{3}$)/g, ",");

/** "12,34,567": a count in Indian grouping; "10,000+" for a count above `most`, which was not counted to its end. */
export const formatCount = (count: number, most = Number.POSITIVE_INFINITY): string =>
  count > most ? `${grouped(most)}+` : grouped(count);

/** What a text needs of a count that may be long: the number decides on singular or plural, `shown` is what is read. */
export type ShownCount = { count: number; shown: string };
export const shownCount = (count: number): ShownCount => ({ count, shown: formatCount(count) });
