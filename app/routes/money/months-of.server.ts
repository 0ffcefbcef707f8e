import { getOwnMoneyMonths, getPlaceMoneyMonths } from "#app/domains/money/takings/figures.server.ts";
import { MONTH_RANGES, type MoneyMonth, type MonthRange, monthsOfRange } from "#app/domains/money/takings/takings.ts";
import { actorCtxOf } from "#app/http/context.ts";
import type { Route } from "./+types/months.ts";
import { scopeOf } from "./money-paths.ts";

type Months = { range: MonthRange; months: MoneyMonth[]; placeName: string | null };

/** Returns the months of `?range=`; of six months for other text. */
export async function monthsOf({ context, params, request }: Pick<Route.LoaderArgs, "context" | "params" | "request">): Promise<Months> {
  const ctx = actorCtxOf(context);
  const { hospitalId } = scopeOf(params);
  const asked = new URL(request.url).searchParams.get("range");
  const range = MONTH_RANGES.find((one) => one === asked) ?? "6m";
  const { placeName, months } =
    hospitalId === null ? { placeName: null, months: await getOwnMoneyMonths(ctx) } : await getPlaceMoneyMonths(ctx, hospitalId);
  return { placeName, range, months: monthsOfRange(months, range, ctx.now) };
}
