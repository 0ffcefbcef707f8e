import { SESSION_GRACE } from "#app/domains/waiting-room/queue/session-end.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { type DayRow, dayStateOf } from "./day-state.ts";

/** Returns true while the patient is expected or has arrived. An accepted appointment without a running queue is expected until SESSION_GRACE after its time. */
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
