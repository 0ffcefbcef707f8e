import { addDays, type DateKey } from "#app/lib/dates.ts";

/** Periods of the figures in days. */
export const FIGURE_DAYS = [30, 90, 365] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];

/** A booked patient who is called at most so many minutes after the booked time is called on time. */
export const ON_TIME_MINUTES = 15;
/** Patients see the punctuality of a doctor from so many sessions on; it is that of the last ones. */
export const ON_TIME_SESSIONS = 30;

/** Figures of a group of sessions. Minutes, whole ones; null where nothing was measured. Shares are percentages, 0 to 100. */
export type QueueFigures = {
  /** Sessions in which the doctor was in. */
  sessions: number;
  /** Patients whose visit is done. */
  patients: number;
  /** From arrival, or from the booked time of who came earlier, until the call. */
  wait: number | null;
  /** Eight of ten waited no longer. */
  longWait: number | null;
  /** From the call or "with doctor" until "done". */
  consultation: number | null;
  /** From the planned start until "Doctor is in". Negative: earlier. */
  late: number | null;
  /** Booked patients who came or missed their appointment. */
  booked: number;
  noShows: number;
  /** Patients who left before their turn. */
  left: number;
  /** Patients who were here and were not called: they left, or the clinic closed. `unseenWait`: how long they waited, in the median. */
  unseen: number;
  unseenWait: number | null;
  /** Booked patients who were called on time. */
  onTime: number | null;
  /** Patients who saw a range at arrival and were called. */
  estimated: number;
  /** Called by the lower and by the upper figure of that range. */
  byLow: number | null;
  byHigh: number | null;
};
export type WeekFigures = QueueFigures & { week: DateKey };
export type DoctorFigures = QueueFigures & { doctorId: string; doctorName: string };
export type QueueReport = { from: DateKey; until: DateKey; all: QueueFigures; weeks: WeekFigures[]; doctors: DoctorFigures[] };

/** The asked period of `?days=`; the first one for other text. */
export const figureDaysOf = (asked: string | null): FigureDays => FIGURE_DAYS.find((days) => String(days) === asked) ?? FIGURE_DAYS[0];
/** The last `days` days with today. */
export const periodOf = (today: DateKey, days: FigureDays): { from: DateKey; until: DateKey } => ({
  from: addDays(today, 1 - days),
  until: today,
});
/** The share of missed booked appointments in percent. */
export const noShowRate = ({ booked, noShows }: Pick<QueueFigures, "booked" | "noShows">): number | null =>
  booked ? Math.round((100 * noShows) / booked) : null;
