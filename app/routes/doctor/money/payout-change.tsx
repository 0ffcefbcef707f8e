import { href } from "react-router";
import { getOwnBank, openOwnBank } from "#app/domains/credentials/identity/own-bank.server.ts";
import { PayoutForm } from "#app/domains/money/payouts/components/payout-form.tsx";
import { getKnownMerchant } from "#app/domains/money/payouts/merchant.server.ts";
import { DoctorBankSchema, DoctorPayoutSchema } from "#app/domains/money/payouts/payouts.schema.ts";
import { getPayoutAccount } from "#app/domains/money/payouts/queries.server.ts";
import { requestPayout } from "#app/domains/money/payouts/request-payout.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/payout-change.ts";

export const handle = { bar: false };
export const middleware = [requireFreshProof("change-payout-account")];

const OWN = { hospitalId: null };

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [account, bank, known] = await Promise.all([getPayoutAccount(ctx, OWN), getOwnBank(ctx), getKnownMerchant(ctx, OWN)]);
  if (!bank?.hasPan) throw new DomainError("not-found");
  return { isKnown: account?.isKnown === true, bank, known, unsent: await unsentForm({ context, request }) };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const account = await orRefuse(() => getPayoutAccount(ctx, OWN));
  const save = async (merchant: { street: string; city: string; state: string; pinCode: string } | null) => {
    const { pan, ...bank } = await openOwnBank(ctx, "change-payout-account");
    if (!pan) throw new DomainError("not-found");
    const { name } = await getKnownMerchant(ctx, OWN);
    await requestPayout(ctx, { ...OWN, bank, merchant: merchant && { ...merchant, name, pan, businessType: "individual" } });
    return redirectWithToast(href("/doctor/payout-account"), m.payout_saved());
  };
  return account?.isKnown
    ? submitGuardedForm({ context, request }, DoctorBankSchema, () => save(null))
    : submitGuardedForm({ context, request }, DoctorPayoutSchema, ({ agreed: _, ...address }) => save(address));
}

export default function PayoutChange({ loaderData: { isKnown, bank, known, unsent }, actionData }: Route.ComponentProps) {
  return (
    <Page wizard title={m.payout_title()} back={{ to: href("/doctor/payout-account"), label: m.payout_title() }}>
      <PayoutForm known={known} bank={bank} isKnown={isKnown} result={actionData?.result ?? unsent} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.payout_title() }) }];
