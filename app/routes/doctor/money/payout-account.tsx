import { href } from "react-router";
import { getOwnBank } from "#app/domains/credentials/identity/own-bank.server.ts";
import { PayoutView } from "#app/domains/money/payouts/components/payout-view.tsx";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-account.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [account, bank] = await Promise.all([getPayoutAccount(ctx, { hospitalId: null }), getOwnBank(ctx)]);
  return { account, bank: bank && { hasPan: bank.hasPan, isNewer: account !== null && bank.updatedAt > account.requestedAt } };
});

/** Where the payment provider is to pay out what the doctor receives. */
export default function PayoutAccount({ loaderData: { account, bank } }: Route.ComponentProps) {
  // The provider asks for the PAN.
  const source = bank === null ? m.payout_no_bank() : bank.hasPan ? m.payout_source_doctor() : m.payout_no_pan();
  return (
    <Page title={m.payout_title()} back={{ to: href("/doctor/takings"), label: m.money_takings() }}>
      <PayoutView
        account={account}
        change={bank?.hasPan ? href("/doctor/payout-account/change") : null}
        source={source}
        bankPage={bank === null ? href("/doctor/profile/edit") : undefined}
        isOld={bank?.isNewer === true}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
