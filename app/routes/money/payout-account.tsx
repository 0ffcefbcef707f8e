import { href } from "react-router";
import { getOwnBank } from "#app/domains/credentials/identity/own-bank.server.ts";
import { PayoutView } from "#app/domains/money/payouts/components/payout-view.tsx";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-account.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const scope = scopeOf(params);
  // A doctor is paid out to the account of the application.
  const [account, bank] = await Promise.all([getPayoutAccount(ctx, scope), scope.hospitalId === null ? getOwnBank(ctx) : null]);
  return { account, bank: bank && { hasPan: bank.hasPan, isNewer: account !== null && bank.updatedAt > account.requestedAt } };
});

/** Where the payment provider is to pay out what the doctor receives, or what a hospital or clinic receives, for its owners. */
export default function PayoutAccount({ loaderData: { account, bank }, params }: Route.ComponentProps) {
  const scope = scopeOf(params);
  const paths = moneyPaths(scope);
  const own = scope.hospitalId === null;
  // The provider asks for the PAN.
  const ofDoctor = bank === null ? m.payout_no_bank() : bank.hasPan ? m.payout_source_doctor() : m.payout_no_pan();
  return (
    <Page title={m.payout_title()} back={{ to: paths.takings, label: m.money_takings() }}>
      <PayoutView
        account={account}
        change={!own || bank?.hasPan ? paths.payoutChange : null}
        source={own ? ofDoctor : m.payout_source_place()}
        bankPage={own && bank === null ? href("/doctor/profile/edit") : undefined}
        isOld={bank?.isNewer === true}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
