import type { DateKey } from "#app/lib/dates.ts";
import type { FreeTime } from "./proposal-times.ts";

/**
 * The free times of the forms for a caller and for another time. `days`: the next days with free times. `day`: the shown one; null without free times.
 * `places`: the times, on whichever day, are in several practices, so that each has its place beside it.
 */
export type CallerView = {
  today: DateKey;
  day: DateKey | null;
  days: { date: DateKey; free: number }[];
  times: FreeTime[];
  places: boolean;
};

/** What the page that changes the time of an appointment shows. `ticked`: free times that were ticked on other days. `practiceId`: of the appointment. */
export type ChangeView = { view: CallerView; several: boolean; ticked: FreeTime[]; practiceId: string };
