import { settlementLinesCsv } from "#app/domains/money/settlements/csv.ts";
import { getOwnSettlement } from "#app/domains/money/settlements/own-settlements.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Route } from "./+types/settlement-csv.ts";
import { scopeOf } from "./money-paths.ts";

/** Returns the lines of a settlement as CSV. */
export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { settlement, lines } = await getOwnSettlement(ctx, { ...scopeOf(params), id: params.settlementId });
  const name = `nadi-settlement-${todayInIndia(settlement.settledAt)}-${settlement.id.replace(/[^\w-]/g, "")}.csv`;
  return csvResponse(settlementLinesCsv({ settlement, lines }), name);
});
