import { MoneyMonthsView } from "#app/domains/money/takings/components/money-months.tsx";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/months.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";
import { monthsOf } from "./months-of.server.ts";

export const loader = load((args: Route.LoaderArgs) => monthsOf(args));

/** Received, refunded and owed by month. In a hospital or clinic: for members with the permission for takings. */
export default function MoneyMonths({ loaderData: { placeName, ...view }, params }: Route.ComponentProps) {
  const paths = moneyPaths(scopeOf(params));
  return (
    <Page wide title={m.money_months()} back={{ to: paths.takings, label: m.money_takings() }}>
      {placeName !== null && <MetaLine className="mb-3">{placeName}</MetaLine>}
      <MoneyMonthsView {...view} path={paths.months} csv={paths.monthsCsv} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_months() }) }];
