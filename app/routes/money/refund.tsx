import { returnFailedRefund } from "#app/domains/money/online/return-failed.server.ts";
import { FailedRefundForm, RefundForm } from "#app/domains/money/payments/components/record-payment-form.tsx";
import { RefundSchema } from "#app/domains/money/payments/payments.schema.ts";
import { getRefundable } from "#app/domains/money/payments/queries.server.ts";
import { refundPayment } from "#app/domains/money/payments/refund-payment.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/refund.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({
  ...(await getRefundable(ctx, params.paymentId, scopeOf(params))),
  formKey: randomToken(),
}));

export const action = submitOwn(RefundSchema, async (ctx, { failed, ...input }, { params }: Route.ActionArgs) => {
  const of = { paymentId: params.paymentId, ...scopeOf(params) };
  if (failed) await returnFailedRefund(ctx, { ...of, ...input, failed });
  else await refundPayment(ctx, { ...of, ...input });
  return redirectWithToast(moneyPaths(of).receipt(params.paymentId), m.money_refund_recorded());
});

export default function Refund({ loaderData, actionData, params }: Route.ComponentProps) {
  const { payment, money, failed, formKey } = loaderData;
  const back = { to: moneyPaths(scopeOf(params)).receipt(params.paymentId), label: m.money_receipt() };
  return (
    <Page wizard title={m.money_refund()} back={back}>
      {failed && <FailedRefundForm failed={failed} formKey={formKey} result={actionData?.result} />}
      <RefundForm payment={payment} money={money} formKey={`${formKey}r`} isSecond={failed !== null} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_refund() }) }];
