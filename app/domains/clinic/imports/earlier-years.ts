import type { Paise } from "#app/lib/money.ts";

/** Figures of a year of the history that a clinic brought. `appointments`: without cancelled ones; `fees`: of those whose patient was seen. */
export type EarlierYear = {
  year: number;
  appointments: number;
  seen: number;
  missed: number;
  cancelled: number;
  patients: number;
  fees: Paise;
  paid: Paise;
};
