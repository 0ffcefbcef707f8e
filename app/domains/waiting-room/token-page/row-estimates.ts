import type { Eta } from "#app/domains/token-words.ts";
import type { TimeKey } from "#app/lib/dates.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";

/** The token of an appointment on a row of staff. */
export type RowToken = { number: number; eta: Eta | null };

/** Where the patient of an appointment is in the queue of its day. `running`: the doctor is in. `closed`: the queue has ended. Times are those of India. */
export type DayToken = RowToken & {
  state: QueueEntryState;
  arrived: TimeKey | null;
  left: TimeKey | null;
  running: boolean;
  closed: boolean;
};
