import { href } from "react-router";
import { PayoutView } from "#app/domains/money/payouts/components/payout-view.tsx";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-account.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => ({
  account: await getPayoutAccount(actorCtxOf(context), { hospitalId: params.id }),
}));

/** Where the payment provider is to pay out what the place receives, for its owners. */
export default function PlacePayoutAccount({ loaderData: { account }, params: { id } }: Route.ComponentProps) {
  return (
    <Page title={m.payout_title()} back={{ to: href("/clinic/:id/takings", { id }), label: m.money_takings() }}>
      <PayoutView account={account} change={href("/clinic/:id/payout-account/change", { id })} source={m.payout_source_place()} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
