import { moneyMonthsCsv } from "#app/domains/money/takings/csv.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Route } from "./+types/months-csv.ts";
import { monthsOf } from "./months-of.server.ts";

/** Returns the months of the page in the same range as CSV. */
export const loader = load(async (args: Route.LoaderArgs) => {
  const { range, months } = await monthsOf(args);
  return csvResponse(moneyMonthsCsv(months), `nadi-money-${range}-${todayInIndia(actorCtxOf(args.context).now)}.csv`);
});
