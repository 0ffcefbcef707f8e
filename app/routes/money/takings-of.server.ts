import { getOwnTakings, getPlaceTakings } from "#app/domains/money/takings/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { isDateKey, todayInIndia } from "#app/lib/dates.ts";
import type { Route } from "./+types/takings.ts";
import { scopeOf } from "./money-paths.ts";

type Args = Pick<Route.LoaderArgs, "context" | "params" | "request">;

/** Returns the takings of `?day=`, a day of the calendar pages that is not in the future; of today for other text. */
export async function takingsOf({ context, params, request }: Args) {
  const ctx = actorCtxOf(context);
  const { hospitalId } = scopeOf(params);
  const today = todayInIndia(ctx.now);
  const asked = new URL(request.url).searchParams.get("day") ?? "";
  const day = isDateKey(asked) && asked >= "2000-01-01" && asked <= today ? asked : today;
  if (hospitalId !== null) return getPlaceTakings(ctx, hospitalId, day);
  return { placeName: null, sums: true, takings: await getOwnTakings(ctx, day) };
}
