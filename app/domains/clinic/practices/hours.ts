import type { TimeKey } from "#app/lib/dates.ts";

/** Most patients of one time. The database has the same limit. */
export const MAX_SEATS = 10;
/** Most tokens of a session. The database has the same limit. */
export const MAX_TOKENS = 500;
/** Spans that a weekday can have: morning, evening and one more. */
export const SPANS = 3;
export type Span = { weekday: number; from: TimeKey; until: TimeKey };
