import { href } from "react-router";
import { PrintReceipt, ReceiptPaper } from "#app/domains/money/payments/components/receipt-paper.tsx";
import { getReceipt } from "#app/domains/money/payments/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/receipt.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({
  receipt: await getReceipt(ctx, params.paymentId, scopeOf(params)),
}));

/** The receipt of a payment, for the doctor or for members of the hospital or clinic. */
export default function Receipt({ loaderData: { receipt }, params }: Route.ComponentProps) {
  const scope = scopeOf(params);
  const paths = moneyPaths(scope);
  const back =
    scope.hospitalId === null
      ? { to: href("/doctor/patient/:id", { id: receipt.appointmentId }), label: receipt.patientName }
      : { to: `${paths.takings}?day=${receipt.date}`, label: m.money_takings() };
  return (
    <Page title={m.money_receipt()} titleAs="p" back={back}>
      <ReceiptPaper receipt={receipt} />
      <div className="row flex-wrap print:hidden mt-4">
        <PrintReceipt />
        {(receipt.state !== "refunded" || receipt.notReturned > 0) && (
          <LinkButton to={paths.refund(receipt.id)} variant="second">
            {receipt.notReturned > 0 ? m.online_failed_link() : m.money_refund()}
          </LinkButton>
        )}
      </div>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_receipt() }) }];
