import { SESSION_GRACE } from "#app/domains/waiting-room/queue/session-end.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { type DayRow, dayStateOf } from "./day-state.ts";

/** The patient is still expected or here. Not once the time is long past and no queue runs: a queue that nobody opened ends as late. */
export function isToCome(
  row: Pick<DayRow, "status" | "missed" | "date"> & { time: TimeKey; expectedTime?: TimeKey | null },
  token: DayToken | undefined,
  now: Date,
): boolean {
  const state = dayStateOf(row, token);
  if (state !== "request" && state !== "accepted")
    return state === "here" || state === "called" || state === "with-doctor" || state === "skipped";
  if (token && !token.closed) return true;
  return now.getTime() < instantInIndia(row.date, row.expectedTime ?? row.time).getTime() + SESSION_GRACE;
}
