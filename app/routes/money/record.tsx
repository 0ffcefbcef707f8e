import { href } from "react-router";
import { RecordPaymentForm } from "#app/domains/money/payments/components/record-payment-form.tsx";
import { RecordPaymentSchema } from "#app/domains/money/payments/payments.schema.ts";
import { getHandledMoney } from "#app/domains/money/payments/queries.server.ts";
import { recordPayment } from "#app/domains/money/payments/record-payment.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/record.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({
  money: await getHandledMoney(ctx, params.visitId, scopeOf(params)),
  formKey: randomToken(),
}));

export const action = submitOwn(RecordPaymentSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const scope = scopeOf(params);
  const id = await recordPayment(ctx, { appointmentId: params.visitId, ...scope, ...input });
  return redirectWithToast(moneyPaths(scope).receipt(id), m.money_recorded());
});

export default function RecordPayment({ loaderData: { money, formKey }, actionData, params }: Route.ComponentProps) {
  const scope = scopeOf(params);
  const back =
    scope.hospitalId === null
      ? { to: href("/doctor/patient/:id", { id: money.id }), label: money.patientName }
      : { to: `${moneyPaths(scope).takings}?day=${money.date}`, label: m.money_takings() };
  return (
    <Page wizard title={m.money_record()} back={back}>
      <RecordPaymentForm money={money} formKey={formKey} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_record() }) }];
