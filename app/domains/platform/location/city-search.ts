/** Separate from the schemas, because the search page needs no zod. */

/** Fewer letters match too many cities (spec 001 §5). */
export const CITY_SEARCH_MINIMUM = 2;
export const CITY_SEARCH_LIMIT = 8;
