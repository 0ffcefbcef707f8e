import { feeDocumentsCsv } from "#app/domains/money/platform-fee/csv.ts";
import { exportFeeDocuments } from "#app/domains/money/platform-fee/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { reconciledMonth } from "#app/http/reconciled-days.server.ts";
import type { Route } from "./+types/platform-fees-csv.ts";

/** Returns the invoices and credit notes of a month as CSV. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const month = reconciledMonth(request, ctx.now);
  return new Response(feeDocumentsCsv(await exportFeeDocuments(ctx, month)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="nadi-platform-fees-${month}.csv"`,
      "Cache-Control": "no-store",
    },
  });
});
