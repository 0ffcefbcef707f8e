import { getPlaceTakings } from "#app/domains/money/takings/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { takingsDay, takingsFile } from "#app/http/takings-day.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/takings-csv.ts";

/** Returns the payments and refunds of /clinic/{id}/takings as CSV. */
export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { sums, takings } = await getPlaceTakings(ctx, params.id, takingsDay(request, ctx.now));
  if (!sums) throw new DomainError("forbidden");
  return takingsFile(takings);
});
