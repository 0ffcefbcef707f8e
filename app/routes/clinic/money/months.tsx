import { href } from "react-router";
import { MoneyMonthsView } from "#app/domains/money/takings/components/money-months.tsx";
import { getPlaceMoneyMonths } from "#app/domains/money/takings/figures.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { moneyRange } from "#app/http/money-months.server.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/months.ts";

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { placeName, months } = await getPlaceMoneyMonths(ctx, params.id);
  return { placeName, ...moneyRange(request, months, ctx.now) };
});

/** Received, refunded and owed of a place by month, for members with the permission for takings. */
export default function PlaceMoneyMonths({ loaderData, params: { id } }: Route.ComponentProps) {
  const { placeName, ...view } = loaderData;
  return (
    <Page wide title={m.money_months()} back={{ to: href("/clinic/:id/takings", { id }), label: m.money_takings() }}>
      <MetaLine className="mb-3">{placeName}</MetaLine>
      <MoneyMonthsView {...view} path={href("/clinic/:id/takings/months", { id })} csv={href("/clinic/:id/takings/months.csv", { id })} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_months() }) }];
