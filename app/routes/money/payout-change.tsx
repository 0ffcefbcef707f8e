import { getOwnBank, openOwnBank } from "#app/domains/credentials/identity/own-bank.server.ts";
import { PayoutForm } from "#app/domains/money/payouts/components/payout-form.tsx";
import { getKnownMerchant } from "#app/domains/money/payouts/merchant.server.ts";
import { DoctorBankSchema, DoctorPayoutSchema, PlaceBankSchema, PlacePayoutSchema } from "#app/domains/money/payouts/payouts.schema.ts";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { requestPayout } from "#app/domains/money/payouts/request-payout.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-change.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const handle = { bar: false };
export const middleware = [requireFreshProof("change-payout-account")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const scope = scopeOf(params);
  const own = scope.hospitalId === null;
  const [account, bank, known] = await Promise.all([
    getPayoutAccount(ctx, scope),
    own ? getOwnBank(ctx) : null,
    getKnownMerchant(ctx, scope),
  ]);
  if (own && !bank?.hasPan) throw new DomainError("not-found");
  return { isKnown: account?.isKnown === true, bank, known, unsent: await unsentForm({ context, request }) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const scope = scopeOf(params);
  const isKnown = (await orRefuse(() => getPayoutAccount(ctx, scope)))?.isKnown === true;
  const apply = async (of: Pick<Parameters<typeof requestPayout>[1], "bank" | "merchant">) => {
    await requestPayout(ctx, { ...scope, ...of });
    return redirectWithToast(moneyPaths(scope).payoutAccount, m.payout_saved());
  };
  if (scope.hospitalId !== null)
    return isKnown
      ? submitGuardedForm({ context, request }, PlaceBankSchema, ({ agreed: _, ...bank }) => apply({ bank, merchant: null }))
      : submitGuardedForm({ context, request }, PlacePayoutSchema, ({ agreed: _, holder, account, ifsc, ...merchant }) =>
          apply({ bank: { holder, account, ifsc }, merchant }),
        );
  // A doctor is paid out to the account of the application, under the name and the PAN of it.
  const ofDoctor = async (address: { street: string; city: string; state: string; pinCode: string } | null) => {
    const { pan, ...bank } = await openOwnBank(ctx, "change-payout-account");
    if (!pan) throw new DomainError("not-found");
    const { name } = await getKnownMerchant(ctx, scope);
    return apply({ bank, merchant: address && { ...address, name, pan, businessType: "individual" } });
  };
  return isKnown
    ? submitGuardedForm({ context, request }, DoctorBankSchema, () => ofDoctor(null))
    : submitGuardedForm({ context, request }, DoctorPayoutSchema, ({ agreed: _, ...address }) => ofDoctor(address));
}

export default function PayoutChange({ loaderData: { isKnown, bank, known, unsent }, actionData, params }: Route.ComponentProps) {
  return (
    <Page wizard title={m.payout_title()} back={{ to: moneyPaths(scopeOf(params)).payoutAccount, label: m.payout_title() }}>
      <PayoutForm known={known} bank={bank} isKnown={isKnown} result={actionData?.result ?? unsent} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
