import { ordersCsv } from "#app/domains/money/reconciliation/csv.ts";
import { exportOrders } from "#app/domains/money/reconciliation/queries.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import type { Route } from "./+types/payment-days-csv.ts";
import { reconciledDay, reconciledMonth } from "./reconciled-days.server.ts";

/** Returns the orders of a day (`?day=`) or of a month as CSV. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const day = reconciledDay(request, ctx.now);
  const month = reconciledMonth(request, ctx.now);
  const file = ordersCsv(await exportOrders(ctx, day ? { day } : { month }));
  return csvResponse(file, `nadi-online-payments-${day ?? month}.csv`);
});
