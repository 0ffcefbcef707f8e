import { feeDocumentsCsv } from "#app/domains/money/platform-fee/csv.ts";
import { exportFeeDocuments } from "#app/domains/money/platform-fee/queries.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import type { Route } from "./+types/platform-fees-csv.ts";
import { reconciledMonth } from "./reconciled-days.server.ts";

/** Returns the invoices and credit notes of a month as CSV. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const month = reconciledMonth(request, ctx.now);
  return csvResponse(feeDocumentsCsv(await exportFeeDocuments(ctx, month)), `nadi-platform-fees-${month}.csv`);
});
