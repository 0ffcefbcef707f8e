import { figureDaysOf } from "#app/domains/waiting-room/figures/figures.ts";
import { getPlaceQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { queueFiguresFile } from "#app/http/figures-file.server.ts";
import { load } from "#app/http/load.server.ts";
import type { Route } from "./+types/figures-csv.ts";

/** Returns the figures of /clinic/{id}/figures as CSV. */
export const loader = load(async ({ context, params, url }: Route.LoaderArgs) => {
  const { report } = await getPlaceQueueReport(actorCtxOf(context), params.id, figureDaysOf(url.searchParams.get("days")));
  return queueFiguresFile(report);
});
