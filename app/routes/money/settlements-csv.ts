import { settlementsCsv } from "#app/domains/money/settlements/csv.ts";
import { exportOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Route } from "./+types/settlements-csv.ts";
import { scopeOf } from "./money-paths.ts";

/** Returns the settlements as CSV. */
export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  return csvResponse(settlementsCsv(await exportOwnSettlements(ctx, scopeOf(params))), `nadi-settlements-${todayInIndia(ctx.now)}.csv`);
});
