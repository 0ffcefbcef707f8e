import { href } from "react-router";
import { MoneyMonthsView } from "#app/domains/money/takings/components/money-months.tsx";
import { getOwnMoneyMonths } from "#app/domains/money/takings/figures.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { moneyRange } from "#app/http/money-months.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/months.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return moneyRange(request, await getOwnMoneyMonths(ctx), ctx.now);
});

export default function MoneyMonths({ loaderData }: Route.ComponentProps) {
  return (
    <Page wide title={m.money_months()} back={{ to: href("/doctor/takings"), label: m.money_takings() }}>
      <MoneyMonthsView {...loaderData} path={href("/doctor/takings/months")} csv={href("/doctor/takings/months.csv")} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_months() }) }];
