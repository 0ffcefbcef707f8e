import { exportCheckedLines } from "#app/domains/money/settlements/checked-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { checkedLinesFile } from "#app/http/settlement-files.server.ts";
import type { Route } from "./+types/settlements-csv.ts";
import { reconciledMonth } from "./reconciled-days.server.ts";

/** Returns the lines of the settlements of a month as CSV, those that do not agree first. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const month = reconciledMonth(request, ctx.now);
  return checkedLinesFile(await exportCheckedLines(ctx, month), month);
});
