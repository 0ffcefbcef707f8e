import { figureDaysOf } from "#app/domains/waiting-room/figures/figures.ts";
import { getOwnQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { queueFiguresFile } from "#app/http/figures-file.server.ts";
import { load } from "#app/http/load.server.ts";
import type { Route } from "./+types/figures-csv.ts";

/** Returns the figures of /doctor/queue/figures as CSV. */
export const loader = load(async ({ context, url }: Route.LoaderArgs) =>
  queueFiguresFile(await getOwnQueueReport(actorCtxOf(context), figureDaysOf(url.searchParams.get("days")))),
);
