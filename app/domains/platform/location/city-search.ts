/** Apart from the schemas, because the page of the search needs no zod. */

/** Fewer letters find half of India (specification 001 §5). */
export const CITY_SEARCH_MINIMUM = 2;
export const CITY_SEARCH_LIMIT = 8;
