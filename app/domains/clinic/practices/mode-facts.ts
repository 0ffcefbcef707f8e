import type { DateKey, TimeKey } from "#app/lib/dates.ts";

/** What a change of the mode does to a practice. `free`: times or sessions without a patient, of which `byHand` were opened by hand. */
export type ModeFacts = {
  free: number;
  byHand: number;
  /** Open appointments of the present mode: they stay. */
  booked: number;
  first: { id: string; date: DateKey; time: TimeKey; name: string }[];
};
