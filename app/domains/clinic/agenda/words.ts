import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { AcceptOutcome, AcceptResult } from "./accept-requests.server.ts";
import type { AgendaShow, DayCounts } from "./agenda.ts";

const SHOWS: Record<AgendaShow, () => string> = {
  today: () => m.ui_today(),
  requests: () => m.agenda_requests(),
  due: () => m.agenda_due(),
  all: () => m.agenda_all(),
  week: () => m.agenda_week(),
  past: () => m.agenda_past(),
};
export const showWord = (show: AgendaShow): string => SHOWS[show]();

/** Returns "Today, Sat 21 Nov 2026", "Tomorrow, …" or the day. */
export function dayHeading(date: string, today: string, tomorrow: string): string {
  const day = formatDay(date);
  return date === today
    ? m.agenda_named_day({ name: m.ui_today(), day })
    : date === tomorrow
      ? m.agenda_named_day({ name: m.ui_tomorrow(), day })
      : day;
}

/** Returns "24 appointments, 1 request, 3 walk-ins." */
export function daySummary({ total, requests, walkIns }: DayCounts): string {
  if (total === 0 && walkIns === 0) return m.agenda_none();
  const parts = [
    total > 0 && m.agenda_count({ count: total }),
    requests > 0 && m.agenda_count_requests({ count: requests }),
    walkIns > 0 && m.agenda_count_walk_ins({ count: walkIns }),
  ];
  return m.agenda_day_counts({ parts: parts.filter(Boolean).join(", ") });
}

const OUTCOMES: Record<AcceptOutcome, (input: { count: number }) => string> = {
  accepted: m.agenda_done_accepted,
  "was-accepted": m.agenda_done_was_accepted,
  "was-completed": m.agenda_done_was_completed,
  "was-cancelled": m.agenda_done_was_cancelled,
  failed: m.agenda_done_failed,
};
/** Returns "4 accepted, 1 was cancelled meanwhile". */
export const resultSentence = (results: readonly AcceptResult[]): string =>
  (Object.keys(OUTCOMES) as AcceptOutcome[])
    .map((outcome) => [outcome, results.filter((one) => one.outcome === outcome).length] as const)
    .filter(([outcome, count]) => count > 0 || (outcome === "accepted" && results.length > 0))
    .map(([outcome, count]) => OUTCOMES[outcome]({ count }))
    .join(", ");
