import type { DoctorAppointment } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import type { RowPayment } from "#app/domains/money/payments/row-payment.ts";
import type { WalkInRow } from "#app/domains/waiting-room/token-page/walk-in-row.ts";
import { addDays, type DateKey, isDateKey, weekdayOf } from "#app/lib/dates.ts";

/**
 * Whose appointments an agenda has, and what it may show. The route decides by the role of its user. `hospitalId`: only appointments
 * at this place, for its members.
 */
export type AgendaScope = { doctorIds: readonly string[]; reasons: boolean; hospitalId?: string };

/**
 * What an agenda lists: today, requests, the days until Sunday, all from today on, what is seen and not paid, or open appointments of past days.
 * Appointments that are done and paid are left out.
 */
export const AGENDA_SHOWS = ["today", "requests", "due", "week", "all", "past"] as const;
export type AgendaShow = (typeof AGENDA_SHOWS)[number];

/** `day`: one day instead of `show`; with "due" that of the list. `seen`: also appointments that are done and paid. */
export type AgendaFilter = { show: AgendaShow; day: DateKey | null; seen: boolean; search: string; page: number };

/** Reads the filter from a URL, limited to valid values. */
export function agendaFilter(query: URLSearchParams, { search, page }: { search: string; page: number }): AgendaFilter {
  const day = query.get("day") ?? "";
  const show = query.get("show");
  return {
    show: AGENDA_SHOWS.find((one) => one === show) ?? "today",
    day: isDateKey(day) ? day : null,
    seen: query.get("seen") === "1",
    search,
    page,
  };
}

/** Returns the Monday and the Sunday of a day's week. */
export function weekOf(date: DateKey): { from: DateKey; to: DateKey } {
  const from = addDays(date, -((weekdayOf(date) + 6) % 7));
  return { from, to: addDays(from, 6) };
}

/** How many appointments a day has, without cancelled ones, and walk-ins. `folded`: done and paid. */
export type DayCounts = { date: DateKey; total: number; requests: number; folded: number; walkIns: number };

/** Groups rows in order of time by day. */
export function byDay<Row extends { date: DateKey }>(rows: readonly Row[]): { date: DateKey; rows: Row[] }[] {
  return [...Map.groupBy(rows, (row) => row.date)].map(([date, own]) => ({ date, rows: own }));
}

/** An appointment in an agenda. `reason` is empty where the scope does not show it. */
export type AgendaRow = DoctorAppointment & {
  doctorId: string;
  doctorName: string;
  payment: RowPayment;
};
/** An appointment with the facts of its panel. */
export type AgendaEntry = AgendaRow & { reference: string; bookedAt: Date };
/** A page of an agenda. `totals`: what each filter shows, without appointments that are done and paid. */
export type Agenda = { rows: AgendaRow[]; walkIns: WalkInRow[]; days: DayCounts[]; totals: Record<AgendaShow, number>; hasMore: boolean };

/** The day whose walk-ins a filter lists; null where it lists appointments only. Walk-ins are on the first page. */
export const walkInDayOf = ({ show, day, page }: AgendaFilter, today: DateKey): DateKey | null =>
  page === 1 && (day ? show !== "due" : show === "today" || show === "week" || show === "all") ? (day ?? today) : null;

/** Adds the walk-ins of a day to a page of an agenda: those who match the search and, unless `seen` or the day is over, are not done. */
export function withWalkIns(agenda: Omit<Agenda, "walkIns">, walkIns: readonly WalkInRow[], filter: AgendaFilter, today: DateKey): Agenda {
  const date = walkInDayOf(filter, today);
  if (!date || !walkIns.length) return { ...agenda, walkIns: [] };
  const isDone = ({ token }: WalkInRow) => token.state === "done";
  const folds = date === today && !filter.seen;
  const sought = filter.search.trim().toLowerCase();
  const rows = walkIns.filter((row) => !(folds && isDone(row)) && row.patientName.toLowerCase().includes(sought));
  const counts = agenda.days.find((day) => day.date === date) ?? { date, total: 0, requests: 0, folded: 0, walkIns: 0 };
  const folded = counts.folded + (date === today ? walkIns.filter(isDone).length : 0);
  return {
    ...agenda,
    walkIns: rows,
    days: [...agenda.days.filter((day) => day !== counts), { ...counts, folded, walkIns: walkIns.length }],
  };
}

/** Returns the time at which the patient of a row is expected, or came. */
export const startOf = (row: AgendaRow | WalkInRow): string => ("expectedTime" in row ? (row.expectedTime ?? row.time) : row.time);

/** Puts each walk-in before the first appointment that starts later. The order of appointments stays. */
export function inTimeOrder(rows: readonly AgendaRow[], walkIns: readonly WalkInRow[]): (AgendaRow | WalkInRow)[] {
  const lines: (AgendaRow | WalkInRow)[] = [...rows];
  for (const one of walkIns) {
    const at = lines.findIndex((line) => startOf(line) > one.time);
    lines.splice(at === -1 ? lines.length : at, 0, one);
  }
  return lines;
}
