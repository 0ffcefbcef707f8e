/**
 * What each figure of a doctor means: written here and nowhere else (docs/figures.md states the same in prose).
 *
 * - Every figure belongs to the day of the visit as read in India, never to the day on which it was booked, paid or closed.
 * - An *appointment* is a visit that is not cancelled. What is cancelled is counted as cancelled only.
 * - *Completed* is a visit the doctor has marked as completed.
 * - *Earned* are the fees of completed visits, as they were when the visit was booked; a fee that was not mentioned is nothing,
 *   and a discount from a patient's wallet does not reduce them: Nadi bears it.
 * - A *patient* is a name seen at least once (a completed visit): one name on one account, because a family books through
 *   one phone. Capitals and spaces around it do not make a new person.
 * - The *completion rate* is completed out of completed and cancelled, in whole percent; there is none before the first of them.
 *   A *missed* visit (the queue of the day says that the patient did not come) is its own figure and not in this rate, also when the
 *   doctor cancels it afterwards.
 * - *Growth* is the change from the month before to this month, the last two months of the trend (spec 000 §9), in whole percent;
 *   there is none where the month before had nothing.
 * - A week is the seven days up to and including today; a month and a year are those of the calendar.
 *
 * Pure: it adds up what queries.server.ts has read.
 */
import { addToMonth, type DateKey, monthOf } from "#app/lib/dates.ts";

export const STATS_RANGES = ["6m", "12m", "year", "all"] as const;
export type StatsRange = (typeof STATS_RANGES)[number];
export const isStatsRange = (text: string | null): text is StatsRange => STATS_RANGES.includes(text as StatsRange);

/** Counts of a doctor's month ("2026-11"). */
export type MonthCounts = {
  month: string;
  pending: number;
  accepted: number;
  completed: number;
  cancelled: number;
  /** Fees of the completed visits. */
  earnings: number;
};
/** Counts of single days. */
export type DayCounts = { todayAppointments: number; todayEarnings: number; weeklyEarnings: number };

/** A bar of the chart and a row of its table. */
export type TrendMonth = { month: string; earnings: number; appointments: number; completed: number; cancelled: number };

/** Spec 000 §3, "Doctor stats". Money in paise, rates and growth in whole percent, null for undefined values. */
export type DoctorStats = {
  todayAppointments: number;
  /** By status, for all dates. */
  pendingAppointments: number;
  acceptedAppointments: number;
  completedAppointments: number;
  cancelledAppointments: number;
  monthlyAppointments: number;
  yearlyAppointments: number;
  monthlyCompletedAppointments: number;
  monthlyCancelledAppointments: number;
  uniquePatients: number;
  totalEarnings: number;
  monthlyEarnings: number;
  yearlyEarnings: number;
  todayEarnings: number;
  weeklyEarnings: number;
  /** Earned per patient, to the paisa; null before the first patient. */
  avgEarningsPerPatient: number | null;
  /** The doctor's current fee; null for none. */
  consultationFee: number | null;
  monthlyGrowth: number | null;
  appointmentGrowth: number | null;
  completionRate: number | null;
  /** Not in the specification. */
  missedAppointments: number;
  /** The months of the range, oldest first and without gaps; empty when the range has no completed visit. */
  monthlyTrend: TrendMonth[];
};

/** Missed visits of all dates, and how many of them were cancelled afterwards. */
export type MissedCounts = { missed: number; cancelled: number };
export type Counted = {
  today: DateKey;
  months: MonthCounts[];
  days: DayCounts;
  uniquePatients: number;
  consultationFee: number | null;
  missed?: MissedCounts;
};

/** Calculates all figures from the counts. @param counted.months in any order; months without visits may be absent */
export function doctorStats(counted: Counted, range: StatsRange): DoctorStats {
  const { today, months, days, uniquePatients, consultationFee, missed = { missed: 0, cancelled: 0 } } = counted;
  const thisMonth = monthOf(today);
  const byMonth = new Map(months.map((m) => [m.month, m]));
  const now = trendMonth(thisMonth, byMonth.get(thisMonth));
  const before = trendMonth(addToMonth(thisMonth, -1), byMonth.get(addToMonth(thisMonth, -1)));
  const sum = (key: Exclude<keyof MonthCounts, "month">, of = months) => of.reduce((total, m) => total + m[key], 0);
  const year = months.filter((m) => m.month.slice(0, 4) === today.slice(0, 4));
  const completed = sum("completed");
  const cancelled = sum("cancelled");
  const totalEarnings = sum("earnings");
  return {
    ...days,
    pendingAppointments: sum("pending"),
    acceptedAppointments: sum("accepted"),
    completedAppointments: completed,
    cancelledAppointments: cancelled,
    monthlyAppointments: now.appointments,
    yearlyAppointments: sum("pending", year) + sum("accepted", year) + sum("completed", year),
    monthlyCompletedAppointments: now.completed,
    monthlyCancelledAppointments: now.cancelled,
    uniquePatients,
    totalEarnings,
    monthlyEarnings: now.earnings,
    yearlyEarnings: sum("earnings", year),
    avgEarningsPerPatient: uniquePatients === 0 ? null : Math.round(totalEarnings / uniquePatients),
    consultationFee,
    monthlyGrowth: growth(before.earnings, now.earnings),
    appointmentGrowth: growth(before.appointments, now.appointments),
    completionRate: completionRate(completed, cancelled - missed.cancelled),
    missedAppointments: missed.missed,
    monthlyTrend: trendOf(byMonth, thisMonth, range),
  };
}

/** Returns completed out of completed and cancelled, in whole percent. */
export function completionRate(completed: number, cancelled: number): number | null {
  return completed + cancelled === 0 ? null : Math.round((completed / (completed + cancelled)) * 100);
}

/** Returns the change between two months, in whole percent. */
export function growth(before: number, now: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}

function trendMonth(month: string, m: MonthCounts | undefined): TrendMonth {
  if (!m) return { month, earnings: 0, appointments: 0, completed: 0, cancelled: 0 };
  return {
    month,
    earnings: m.earnings,
    appointments: m.pending + m.accepted + m.completed,
    completed: m.completed,
    cancelled: m.cancelled,
  };
}

function trendOf(byMonth: Map<string, MonthCounts>, last: string, range: StatsRange): TrendMonth[] {
  const withVisits = [...byMonth.values()].filter((m) => m.completed > 0 && m.month <= last).map((m) => m.month);
  const first = {
    "6m": addToMonth(last, -5),
    "12m": addToMonth(last, -11),
    year: `${last.slice(0, 4)}-01`,
    all: withVisits.sort()[0] ?? last,
  }[range];
  if (!withVisits.some((month) => month >= first)) return [];
  const trend: TrendMonth[] = [];
  for (let month = first; month <= last; month = addToMonth(month, 1)) trend.push(trendMonth(month, byMonth.get(month)));
  return trend;
}
