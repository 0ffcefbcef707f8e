import { getOwnMoneyMonths } from "#app/domains/money/takings/figures.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { moneyMonthsFile } from "#app/http/money-months.server.ts";
import type { Route } from "./+types/months-csv.ts";

/** Returns the months of /doctor/takings/months in the same range as CSV. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return moneyMonthsFile(request, await getOwnMoneyMonths(ctx), ctx.now);
});
