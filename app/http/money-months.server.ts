import { moneyMonthsCsv } from "#app/domains/money/takings/csv.ts";
import { MONTH_RANGES, type MoneyMonth, type MonthRange, monthsOfRange } from "#app/domains/money/takings/takings.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { csvResponse } from "./csv-response.server.ts";

/** Returns the months of `?range=`; of six months for other text. */
export function moneyRange(request: Request, months: readonly MoneyMonth[], now: Date): { range: MonthRange; months: MoneyMonth[] } {
  const asked = new URL(request.url).searchParams.get("range");
  const range = MONTH_RANGES.find((one) => one === asked) ?? "6m";
  return { range, months: monthsOfRange(months, range, now) };
}

/** Returns the months of `?range=` as a CSV file. */
export function moneyMonthsFile(request: Request, all: readonly MoneyMonth[], now: Date): Response {
  const { range, months } = moneyRange(request, all, now);
  return csvResponse(moneyMonthsCsv(months), `nadi-money-${range}-${todayInIndia(now)}.csv`);
}
