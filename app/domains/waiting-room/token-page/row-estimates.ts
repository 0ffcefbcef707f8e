import type { Eta } from "#app/domains/token-words.ts";

/** The token of an appointment on a row of staff. */
export type RowToken = { number: number; eta: Eta | null };
