import { settlementsCsv } from "#app/domains/money/settlements/csv.ts";
import { exportOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Route } from "./+types/settlements-csv.ts";
import { scopeOf } from "./money-paths.ts";

/** Returns the settlements as CSV. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return csvResponse(settlementsCsv(await exportOwnSettlements(ctx, scopeOf(params))), `nadi-settlements-${todayInIndia(ctx.now)}.csv`);
});
