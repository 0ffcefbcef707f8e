import { href } from "react-router";
import { OwnSettlements } from "#app/domains/money/settlements/components/own-settlements.tsx";
import { listOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import { Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/settlements.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const { rows, total, hasMore } = await listOwnSettlements(actorCtxOf(context), { hospitalId: null, page });
  toLastPage(request, page, total);
  return { page, rows, total, hasMore };
});

/** What the payment provider paid out to the doctor. */
export default function Settlements({ loaderData: { page, rows, total, hasMore } }: Route.ComponentProps) {
  return (
    <Page wide title={m.settle_title()} back={{ to: href("/doctor/takings"), label: m.money_takings() }}>
      <OwnSettlements rows={rows} path={(id) => href("/doctor/settlements/:id", { id })} csv={href("/doctor/settlements.csv")} />
      <Pages
        page={page}
        hasMore={hasMore}
        to={(page) => listAddress(href("/doctor/settlements"), { page })}
        of={{ rows: rows.length, total }}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];
