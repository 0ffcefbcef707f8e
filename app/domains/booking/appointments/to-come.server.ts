import { SESSION_GRACE } from "#app/domains/waiting-room/queue/session-end.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { instantInIndia, type TimeKey } from "#app/lib/dates.ts";
import { type DayRow, dayStateOf } from "./day-state.ts";

type Row = Pick<DayRow, "status" | "missed" | "date"> & { time: TimeKey; expectedTime?: TimeKey | null };

/** Counts how many patients of a day are seen, and how many are to come. */
export const countDay = (rows: readonly (Row & { id: string })[], tokens: Record<string, DayToken>, now: Date) => ({
  seen: rows.filter((row) => dayStateOf(row, tokens[row.id]) === "done").length,
  left: rows.filter((row) => isToCome(row, tokens[row.id], now)).length,
});

/** Returns true while the patient is expected or has arrived. An accepted appointment without a running queue is expected until SESSION_GRACE after its time. */
function isToCome(row: Row, token: DayToken | undefined, now: Date): boolean {
  const state = dayStateOf(row, token);
  if (state !== "request" && state !== "accepted")
    return state === "here" || state === "called" || state === "with-doctor" || state === "skipped";
  if (token && !token.closed) return true;
  return now.getTime() < instantInIndia(row.date, row.expectedTime ?? row.time).getTime() + SESSION_GRACE;
}
