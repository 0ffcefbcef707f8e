import { href } from "react-router";
import { RecordPaymentForm } from "#app/domains/money/payments/components/record-payment-form.tsx";
import { RecordPaymentSchema } from "#app/domains/money/payments/payments.schema.ts";
import { getHandledMoney } from "#app/domains/money/payments/queries.server.ts";
import { recordPayment } from "#app/domains/money/payments/record-payment.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/record.ts";

export const handle = { bar: false };

export const loader = load(async ({ context, params }: Route.LoaderArgs) => ({
  money: await getHandledMoney(actorCtxOf(context), params.visitId, { hospitalId: params.id }),
  formKey: randomToken(),
}));

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, RecordPaymentSchema, async (input) => {
    const paymentId = await recordPayment(actorCtxOf(context), { appointmentId: params.visitId, hospitalId: params.id, ...input });
    return redirectWithToast(href("/clinic/:id/payments/:paymentId", { id: params.id, paymentId }), m.money_recorded());
  });
}

export default function RecordPayment({ loaderData, actionData, params }: Route.ComponentProps) {
  const { money, formKey } = loaderData;
  return (
    <Page
      wizard
      title={m.money_record()}
      back={{ to: `${href("/clinic/:id/takings", { id: params.id })}?day=${money.date}`, label: m.money_takings() }}
    >
      <RecordPaymentForm money={money} formKey={formKey} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_record() }) }];
