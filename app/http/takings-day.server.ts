import { takingsCsv } from "#app/domains/money/takings/csv.ts";
import type { Takings } from "#app/domains/money/takings/takings.ts";
import { type DateKey, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { csvResponse } from "./csv-response.server.ts";

/** Returns the day of `?day=`, a day of the calendar pages that is not in the future; today for other text. */
export function takingsDay(request: Request, now: Date): DateKey {
  const today = todayInIndia(now);
  const asked = new URL(request.url).searchParams.get("day") ?? "";
  return isDateKey(asked) && asked >= "2000-01-01" && asked <= today ? asked : today;
}

/** Returns the takings of a day as a CSV file. */
export const takingsFile = ({ day, moves }: Takings): Response => csvResponse(takingsCsv(moves), `nadi-takings-${day}.csv`);
