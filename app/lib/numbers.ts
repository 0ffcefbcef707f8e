const grouped = new Intl.NumberFormat("en-IN");

/** "12,34,567": a count in Indian grouping. */
export const formatCount = (count: number): string => grouped.format(count);
