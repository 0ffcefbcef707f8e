import { href } from "react-router";
import { PayoutForm } from "#app/domains/money/payouts/components/payout-form.tsx";
import { getKnownMerchant } from "#app/domains/money/payouts/merchant.server.ts";
import { PlaceBankSchema, PlacePayoutSchema } from "#app/domains/money/payouts/payouts.schema.ts";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { requestPayout } from "#app/domains/money/payouts/request-payout.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-change.ts";

export const handle = { bar: false };
export const middleware = [requireFreshProof("change-payout-account")];

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const of = { hospitalId: params.id };
  const account = await getPayoutAccount(ctx, of);
  return {
    isKnown: account?.isKnown === true,
    known: await getKnownMerchant(ctx, of),
    unsent: await unsentForm({ context, request }),
  };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const of = { hospitalId: params.id };
  const account = await orRefuse(() => getPayoutAccount(ctx, of));
  const saved = () => redirectWithToast(href("/clinic/:id/payout-account", params), m.payout_saved());
  return account?.isKnown
    ? submitGuardedForm({ context, request }, PlaceBankSchema, async ({ agreed: _, ...bank }) => {
        await requestPayout(ctx, { ...of, bank, merchant: null });
        return saved();
      })
    : submitGuardedForm({ context, request }, PlacePayoutSchema, async ({ agreed: _, holder, account, ifsc, ...merchant }) => {
        await requestPayout(ctx, { ...of, bank: { holder, account, ifsc }, merchant });
        return saved();
      });
}

export default function PlacePayoutChange({ loaderData: { isKnown, known, unsent }, actionData, params: { id } }: Route.ComponentProps) {
  return (
    <Page wizard title={m.payout_title()} back={{ to: href("/clinic/:id/payout-account", { id }), label: m.payout_title() }}>
      <PayoutForm known={known} bank={null} isKnown={isKnown} result={actionData?.result ?? unsent} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
