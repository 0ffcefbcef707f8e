import { OwnSettlements } from "#app/domains/money/settlements/components/own-settlements.tsx";
import { listOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/settlements.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const list = await listOwnSettlements(ctx, { ...scopeOf(params), page });
  toLastPage(request, page, list.total);
  return { page, ...list };
});

/** What the payment provider paid out. In a hospital or clinic: for members with the permission for takings. */
export default function Settlements({ loaderData: { page, placeName, rows, total, hasMore }, params }: Route.ComponentProps) {
  const scope = scopeOf(params);
  const paths = moneyPaths(scope);
  return (
    <Page wide title={m.settle_title()} back={{ to: paths.takings, label: m.money_takings() }}>
      {scope.hospitalId !== null && <MetaLine className="mb-3">{placeName}</MetaLine>}
      <OwnSettlements rows={rows} path={paths.settlement} csv={paths.settlementsCsv} />
      <Pages page={page} hasMore={hasMore} to={(page) => listAddress(paths.settlements, { page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];
