import { figureDaysOf, type QueueReport } from "#app/domains/waiting-room/figures/figures.ts";
import { getOwnQueueReport, getPlaceQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import type { Route } from "./+types/figures.ts";

type Asked = Pick<Route.LoaderArgs, "context" | "params" | "url">;

type Report = { days: ReturnType<typeof figureDaysOf>; report: QueueReport; placeName: string | null };

/** Returns the report of the days asked for: of the hospital or clinic in the path, otherwise of the doctor's own queues. */
export async function reportOf({ context, params, url }: Asked): Promise<Report> {
  const ctx = actorCtxOf(context);
  const days = figureDaysOf(url.searchParams.get("days"));
  if (params.id !== undefined) return { days, ...(await getPlaceQueueReport(ctx, params.id, days)) };
  return { days, report: await getOwnQueueReport(ctx, days), placeName: null };
}
