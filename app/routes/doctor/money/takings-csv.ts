import { getOwnTakings } from "#app/domains/money/takings/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { takingsDay, takingsFile } from "#app/http/takings-day.server.ts";
import type { Route } from "./+types/takings-csv.ts";

/** Returns the payments and refunds of /doctor/takings as CSV. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return takingsFile(await getOwnTakings(ctx, takingsDay(request, ctx.now)));
});
