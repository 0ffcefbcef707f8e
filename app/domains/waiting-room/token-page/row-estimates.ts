import type { TimeKey } from "#app/lib/dates.ts";

/** When a patient is called, as a range. */
export type Eta = { from: TimeKey; until: TimeKey };
/** The token of an appointment on a row of staff. */
export type RowToken = { number: number; eta: Eta | null };
