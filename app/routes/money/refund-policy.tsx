import { RefundPolicyForm } from "#app/domains/booking/cancellation/components/refund-policy-form.tsx";
import { getRefundPolicy, setRefundPolicy } from "#app/domains/booking/cancellation/policies.server.ts";
import { RefundPolicySchema } from "#app/domains/booking/cancellation/refund-policy.schema.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/refund-policy.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { hours, prepay } = await getRefundPolicy(ctx, scopeOf(params));
  // Only a payment provider can collect the money.
  return { hours, prepay: ctx.integrations.payments ? prepay : null };
});

export const action = submitOwn(RefundPolicySchema, async (ctx, rules, { params }: Route.ActionArgs) => {
  await setRefundPolicy(ctx, { ...scopeOf(params), ...rules });
  return redirectWithToast(moneyPaths(scopeOf(params)).refundPolicy, m.refunds_policy_saved());
});

export default function RefundPolicy({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <Page wizard title={m.refunds_policy()} back={{ to: moneyPaths(scopeOf(params)).takings, label: m.money_takings() }}>
      <RefundPolicyForm {...loaderData} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.refunds_policy() }) }];
