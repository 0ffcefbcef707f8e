import { exportCheckedLines } from "#app/domains/money/settlements/checked-settlements.server.ts";
import { checkedLinesCsv } from "#app/domains/money/settlements/csv.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import type { Route } from "./+types/settlements-csv.ts";
import { reconciledMonth } from "./reconciled-days.server.ts";

/** Returns the lines of the settlements of a month as CSV, those that do not agree first. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const month = reconciledMonth(request, ctx.now);
  return csvResponse(checkedLinesCsv(await exportCheckedLines(ctx, month)), `nadi-settlement-lines-${month}.csv`);
});
