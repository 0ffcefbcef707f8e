import { csvFile } from "#app/lib/csv.ts";
import { m } from "#app/paraglide/messages.js";
import type { QueueFigures, QueueReport } from "./figures.ts";

const cells = (one: QueueFigures): (string | number)[] =>
  [
    one.sessions,
    one.patients,
    one.wait,
    one.longWait,
    one.consultation,
    one.late,
    one.booked,
    one.noShows,
    one.left,
    one.unseen,
    one.unseenWait,
    one.onTime,
    one.byLow,
    one.byHigh,
  ].map((value) => value ?? "");

/** The weeks and, for a place, the doctors of a report as CSV. Minutes and percent are plain numbers. */
export function queueFiguresCsv({ all, weeks, doctors, from, until }: QueueReport): string {
  return csvFile(
    [
      m.figures_of(),
      m.figures_sessions(),
      m.figures_patients(),
      m.figures_wait(),
      m.figures_long_wait(),
      m.figures_consultation(),
      m.figures_late(),
      m.figures_booked(),
      m.figures_no_shows(),
      m.figures_left(),
      m.figures_unseen_count(),
      m.figures_unseen_wait(),
      m.figures_on_time(),
      m.figures_by_low(),
      m.figures_by_high(),
    ],
    [
      ...weeks.map((one) => [one.week, ...cells(one)]),
      ...doctors.map((one) => [one.doctorName, ...cells(one)]),
      [`${from} – ${until}`, ...cells(all)],
    ],
  );
}
