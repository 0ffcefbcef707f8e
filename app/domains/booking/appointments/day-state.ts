import type { DoctorAction } from "#app/domains/visit-time.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { AppointmentStatus, QueueEntryState } from "#app/lib/vocabulary.ts";

/**
 * Where an appointment of a day is: its status and the queue as one state. Desk, the doctor's agenda, dashboard and appointments show it and offer its
 * next step, so that no two pages say something else.
 */
export type DayState = "request" | "accepted" | "here" | "called" | "with-doctor" | "skipped" | "done" | "left" | "no-show" | "cancelled";

/** What a row offers as its one button. */
export type NextStep = "accept" | "check-in" | "take" | "done" | "complete" | "here-now" | "back-again";

export type DayRow = {
  status: AppointmentStatus;
  missed?: boolean;
  date: DateKey;
  actions: readonly DoctorAction[];
  /** What is still to pay and can be taken now. */
  due?: string | null;
};

/** Returns the state of an appointment. `token`: that of its day; absent before its queue is planned. */
export function dayStateOf({ status, missed = false }: Pick<DayRow, "status" | "missed">, token?: DayToken): DayState {
  if (status === "pending") return "request";
  if (status === "cancelled") return "cancelled";
  if (status === "completed") return "done";
  switch (token?.state) {
    case "arrived":
      return "here";
    case "called":
    case "with-doctor":
    case "skipped":
    case "done":
    case "left":
      return token.state;
    default:
      return missed || token?.state === "no-show" ? "no-show" : "accepted";
  }
}

/** Returns the state of a patient without an appointment, in the words of the day where it has one. */
export const walkInStateOf = ({ state }: DayToken): DayState | QueueEntryState => (state === "arrived" ? "here" : state);

/** Says whether the patient is here and has not been inside. */
export const isInClinic = ({ state, closed }: DayToken): boolean =>
  !closed && (state === "arrived" || state === "called" || state === "skipped");

/** Returns since when the patient is here or has left; null in other states. */
export const sinceOf = (state: DayState | QueueEntryState, token: DayToken | undefined): TimeKey | null =>
  (state === "here" ? token?.arrived : state === "left" ? token?.left : null) ?? null;

/**
 * Returns the next sensible step of a row; null for none. `by`: only the doctor completes. A doctor whose queue is not running sees patients without it,
 * so an appointment that has started is completed at once.
 */
export function nextStepOf(
  row: DayRow,
  token: DayToken | undefined,
  { by, today }: { by: "doctor" | "desk"; today: DateKey },
): NextStep | null {
  const completes = by === "doctor" && row.actions.includes("complete");
  const atOnce = completes && !token?.running ? "complete" : null;
  // The queue of a day takes presses until it is closed. One that is still open after midnight has the date of the day before.
  const queued = token ? !token.closed && (row.date === today || token.running) : row.date === today;
  switch (dayStateOf(row, token)) {
    case "request":
      return row.actions.includes("accept") ? "accept" : null;
    case "accepted":
      return atOnce ?? (queued ? "check-in" : null);
    case "here":
    case "called":
      return row.due ? "take" : atOnce;
    case "with-doctor":
      return completes ? "complete" : "done";
    case "skipped":
      return queued ? "check-in" : null;
    case "no-show":
      return queued ? "here-now" : atOnce;
    case "left":
      return queued ? "back-again" : atOnce;
    case "done":
      return completes ? "complete" : row.due ? "take" : null;
    case "cancelled":
      return null;
  }
}
